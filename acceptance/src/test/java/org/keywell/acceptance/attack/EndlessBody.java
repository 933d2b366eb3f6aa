package org.keywell.acceptance.attack;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;

/**
 * A request over TLS whose body, in chunks, is a gigabyte long; sent as fast as the service takes
 * it, for as long as it does.
 *
 * @param status of the answer; 0 if the connection was cut before there was one to be read
 * @param sent bytes of the body that went out, those in buffers on the way included
 */
record EndlessBody(int status, long sent) {

  static final long GIGABYTE = 1_000_000_000;
  private static final int READ_TIMEOUT_MILLIS = 30_000;
  private static final int CHUNK = 0x10000;

  static EndlessBody send(SSLContext tls, int port, String method, String path, String contentType)
      throws IOException {
    try (SSLSocket socket = (SSLSocket) tls.getSocketFactory().createSocket("127.0.0.1", port)) {
      socket.setSoTimeout(READ_TIMEOUT_MILLIS);
      long sent = 0;
      try {
        OutputStream out = socket.getOutputStream();
        out.write(head(method, path, contentType));
        byte[] chunk = chunk();
        while (sent < GIGABYTE) {
          out.write(chunk);
          sent += CHUNK;
        }
      } catch (IOException cut) {
        // The service has heard enough; what it said is there to be read, or was lost with the cut.
      }
      return new EndlessBody(status(socket), sent);
    }
  }

  private static byte[] head(String method, String path, String contentType) {
    List<String> lines =
        contentType.isEmpty()
            ? List.of(method + " " + path + " HTTP/1.1", "Host: localhost")
            : List.of(
                method + " " + path + " HTTP/1.1",
                "Host: localhost",
                "Content-Type: " + contentType);
    return (String.join("\r\n", lines) + "\r\nTransfer-Encoding: chunked\r\n\r\n")
        .getBytes(StandardCharsets.US_ASCII);
  }

  private static byte[] chunk() {
    return (Integer.toHexString(CHUNK) + "\r\n" + "x".repeat(CHUNK) + "\r\n")
        .getBytes(StandardCharsets.US_ASCII);
  }

  private static int status(SSLSocket socket) {
    try {
      InputStream in = socket.getInputStream();
      String line = new String(in.readNBytes(12), StandardCharsets.US_ASCII);
      return line.length() == 12 ? Integer.parseInt(line.substring(9)) : 0;
    } catch (IOException cut) {
      return 0;
    }
  }
}
