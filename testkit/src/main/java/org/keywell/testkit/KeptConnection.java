package org.keywell.testkit;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;

/** One TLS connection, over which requests go one after the other. */
public final class KeptConnection implements AutoCloseable {

  private static final int TIMEOUT_MILLIS = 10_000;

  private final SSLSocket socket;

  /**
   * Opens it; no handshake yet.
   *
   * @param versions such as {@code TLSv1.3}; none: those of Java
   */
  public KeptConnection(SSLContext context, int port, String... versions) throws IOException {
    socket =
        (SSLSocket) context.getSocketFactory().createSocket(InetAddress.getLoopbackAddress(), port);
    socket.setSoTimeout(TIMEOUT_MILLIS);
    if (versions.length > 0) {
      socket.setEnabledProtocols(versions);
    }
  }

  /** Asks for an address. */
  public RawHttp.Answer get(String path) throws IOException {
    return get(path, "Host: localhost:" + socket.getPort());
  }

  /**
   * Asks for an address with these header fields alone.
   *
   * @param fields {@code Host} among them, separated by CR LF
   */
  public RawHttp.Answer get(String path, String fields) throws IOException {
    socket
        .getOutputStream()
        .write(
            ("GET " + path + " HTTP/1.1\r\n" + fields + "\r\n\r\n")
                .getBytes(StandardCharsets.US_ASCII));
    InputStream in = socket.getInputStream();
    StringBuilder head = new StringBuilder();
    while (head.indexOf("\r\n\r\n") < 0) {
      int octet = in.read();
      if (octet < 0) {
        throw new IOException("the connection ended after '" + head + "'");
      }
      head.append((char) octet);
    }
    RawHttp.Answer answer = new RawHttp.Answer(head.substring(0, head.length() - 4), "");
    if ("chunked".equals(answer.header("Transfer-Encoding"))) {
      return new RawHttp.Answer(answer.head(), chunks(in));
    }
    String length = answer.header("Content-Length");
    byte[] body = in.readNBytes(length.isEmpty() ? 0 : Integer.parseInt(length));
    return new RawHttp.Answer(answer.head(), new String(body, StandardCharsets.UTF_8));
  }

  private static String chunks(InputStream in) throws IOException {
    StringBuilder body = new StringBuilder();
    while (true) {
      StringBuilder size = new StringBuilder();
      while (size.indexOf("\r\n") < 0) {
        size.append((char) in.read());
      }
      int length = Integer.parseInt(size.substring(0, size.length() - 2), 16);
      body.append(new String(in.readNBytes(length), StandardCharsets.UTF_8));
      in.skipNBytes(2);
      if (length == 0) {
        return body.toString();
      }
    }
  }

  /** What the service shows. */
  public X509Certificate serverCertificate() throws IOException {
    return (X509Certificate) socket.getSession().getPeerCertificates()[0];
  }

  /** That it came to. */
  public String version() {
    return socket.getSession().getProtocol();
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
