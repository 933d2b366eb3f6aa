package org.keywell.bench.parts;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.URI;
import java.net.http.HttpRequest;
import java.time.Duration;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.keywell.loadgen.storage.SignedRequest;

/**
 * A kept connection to an external key store. It does little more than sign, write and read: what a
 * client takes of the processor is missing at the service. One thread uses it at a time.
 */
final class KeyStoreConnection implements AutoCloseable {
  private static final int ANSWER_WITHIN_MILLIS = (int) Duration.ofSeconds(10).toMillis();
  private static final int MOST_BYTES = 1 << 16;

  private final KeyStore store;
  private final SSLSocket socket;
  private final InputStream in;
  private final OutputStream out;

  /**
   * Where and as whom to ask.
   *
   * @param base up to and with {@code /kms/xks/v1}
   */
  record KeyStore(SSLContext tls, URI base, String accessKeyId, String secret) {

    /** Leaves the secret out. */
    @Override
    public String toString() {
      return "KeyStore[" + base + "]";
    }
  }

  KeyStoreConnection(KeyStore store) throws IOException {
    this.store = store;
    this.socket =
        (SSLSocket)
            store
                .tls()
                .getSocketFactory()
                .createSocket(InetAddress.getLoopbackAddress(), store.base().getPort());
    socket.setTcpNoDelay(true);
    socket.setSoTimeout(ANSWER_WITHIN_MILLIS);
    // The store waits for it, but not for as long as for the first request.
    socket.startHandshake();
    this.in = new BufferedInputStream(socket.getInputStream());
    this.out = socket.getOutputStream();
  }

  /**
   * Returns the answer's body.
   *
   * @throws IOException if its status is not 200
   */
  String post(String path, String body) throws IOException {
    URI uri = URI.create(store.base() + path);
    HttpRequest request = SignedRequest.of(uri, body, store.accessKeyId(), store.secret()).build();
    byte[] content = body.getBytes(UTF_8);
    StringBuilder head =
        new StringBuilder("POST %s HTTP/1.1\r\n".formatted(uri.getPath()))
            .append("Host: %s\r\n".formatted(uri.getAuthority()))
            .append("Content-Length: %d\r\n".formatted(content.length));
    request
        .headers()
        .map()
        .forEach((name, values) -> head.append(name + ": " + values.getFirst() + "\r\n"));
    ByteArrayOutputStream whole = new ByteArrayOutputStream();
    whole.writeBytes(head.append("\r\n").toString().getBytes(UTF_8));
    whole.writeBytes(content);
    out.write(whole.toByteArray());
    out.flush();
    return answer(path);
  }

  private String answer(String path) throws IOException {
    String status = line();
    int length = 0;
    for (String field = line(); !field.isEmpty(); field = line()) {
      if (field.regionMatches(true, 0, "content-length:", 0, 15)) {
        length = Integer.parseInt(field.substring(15).strip());
      }
    }
    String body = new String(in.readNBytes(Math.min(length, MOST_BYTES)), UTF_8);
    if (!status.startsWith("HTTP/1.1 200")) {
      throw new IOException("%s: %s %s".formatted(path, status, body));
    }
    return body;
  }

  private String line() throws IOException {
    StringBuilder line = new StringBuilder();
    for (int next = in.read(); next != '\n'; next = in.read()) {
      if (next < 0 || line.length() > MOST_BYTES) {
        throw new EOFException("the external key store ended the connection");
      }
      line.append((char) next);
    }
    return line.toString().stripTrailing();
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
