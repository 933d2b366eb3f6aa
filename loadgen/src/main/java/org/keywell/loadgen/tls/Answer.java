package org.keywell.loadgen.tls;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import javax.net.ssl.SSLSocket;

/** Checks that a server serves a file: {@code s_time} itself counts an error page as well. */
final class Answer {
  private static final int CONNECT_MILLIS = 5_000;
  private static final int MOST_IN_HEAD = 8_192;
  private static final Duration READ_WITHIN = Duration.ofSeconds(30);
  private static final String END_OF_HEAD = "\r\n\r\n";

  private Answer() {}

  /**
   * Fetches a file with the request that {@code s_time} sends.
   *
   * @return the number of bytes in the answer, its head included
   * @throws IOException if the answer is anything but this file
   */
  static long bytes(int port, String server, TrialSite site, FileSize size) throws IOException {
    try (SSLSocket socket = (SSLSocket) site.client().getSocketFactory().createSocket()) {
      socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), CONNECT_MILLIS);
      socket.setSoTimeout((int) READ_WITHIN.toMillis());
      socket
          .getOutputStream()
          .write(("GET " + size.path() + " HTTP/1.0\r\n\r\n").getBytes(StandardCharsets.US_ASCII));
      InputStream in = new BufferedInputStream(socket.getInputStream());
      String head = head(in);
      String status = head.lines().findFirst().orElse("");
      if (!status.matches("HTTP/1\\.[01] 200( .*)?")) {
        throw new IOException(
            "%s does not serve %s: its answer is '%s'".formatted(server, size.path(), status));
      }
      long sent = in.transferTo(OutputStream.nullOutputStream());
      if (sent != size.bytes()) {
        throw new IOException("%s serves %s with %d bytes".formatted(server, size.path(), sent));
      }
      return head.length() + sent;
    }
  }

  private static String head(InputStream in) throws IOException {
    ByteArrayOutputStream head = new ByteArrayOutputStream();
    String text = "";
    while (!text.endsWith(END_OF_HEAD) && head.size() < MOST_IN_HEAD) {
      int next = in.read();
      if (next < 0) {
        break;
      }
      head.write(next);
      text = next == '\n' ? head.toString(StandardCharsets.ISO_8859_1) : text;
    }
    return head.toString(StandardCharsets.ISO_8859_1);
  }
}
