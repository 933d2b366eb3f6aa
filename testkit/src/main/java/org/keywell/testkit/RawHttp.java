package org.keywell.testkit;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** Requests as they are on the wire, and what comes back, octet by octet. */
public final class RawHttp {

  private static final int TIMEOUT_MILLIS = 10_000;

  private RawHttp() {}

  /**
   * An answer; all of it is empty if the connection was closed without one.
   *
   * @param head status line and header fields
   */
  public record Answer(String head, String body) {

    /** 0 without a status line. */
    public int status() {
      return head.startsWith("HTTP/1.1 ") ? Integer.parseInt(head.substring(9, 12)) : 0;
    }

    /** The value of a header field; empty without it. */
    public String header(String name) {
      String start = name.toLowerCase(Locale.ROOT) + ": ";
      return head.lines()
          .filter(line -> line.toLowerCase(Locale.ROOT).startsWith(start))
          .map(line -> line.substring(start.length()))
          .findFirst()
          .orElse("");
    }
  }

  /**
   * Sends and reads until the other side closes, which it is to do soon.
   *
   * @param request ISO 8859-1: a character for each octet
   */
  public static Answer send(int port, String request) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.setSoTimeout(TIMEOUT_MILLIS);
      socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
      socket.getOutputStream().flush();
      String all = new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
      int end = all.indexOf("\r\n\r\n");
      return end < 0
          ? new Answer("", all)
          : new Answer(all.substring(0, end), all.substring(end + 4));
    }
  }
}
