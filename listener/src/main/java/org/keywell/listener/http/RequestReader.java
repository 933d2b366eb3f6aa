package org.keywell.listener.http;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * Reads requests of HTTP/1.1 (RFC 9112) whose body has a {@code Content-Length}. Whatever can be
 * understood in two ways is refused rather than interpreted. For one thread.
 */
final class RequestReader {

  private static final int MAX_HEAD_BYTES = 16 * 1024;
  private static final int MAX_HEADERS = 64;
  private static final Pattern METHOD = Pattern.compile("[A-Z]{1,16}");
  private static final Pattern NAME = Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]+");
  private static final Pattern LENGTH = Pattern.compile("[0-9]{1,9}");

  /**
   * All of a request but its body.
   *
   * @param length of the body
   */
  record Head(String method, String target, Map<String, List<String>> headers, int length) {

    /** Whether the client waits for a word before it sends the body. */
    boolean expectsContinue() {
      return length > 0 && headers.getOrDefault("expect", List.of()).contains("100-continue");
    }

    /** Whether the client sends no further request. */
    boolean last() {
      return headers.getOrDefault("connection", List.of()).stream()
          .anyMatch(value -> value.toLowerCase(Locale.ROOT).contains("close"));
    }
  }

  private final InputStream in;
  private final int maxBody;
  private final byte[] buffer = new byte[8192];
  private int position;
  private int limit;
  private int headBytes;

  /**
   * @param maxBody in bytes
   */
  RequestReader(InputStream in, int maxBody) {
    this.in = in;
    this.maxBody = maxBody;
  }

  /** Waits for the first byte of a request. Returns false at the end of the stream. */
  boolean awaitFirst() throws IOException {
    if (position == limit) {
      position = 0;
      limit = Math.max(0, in.read(buffer, 0, buffer.length));
    }
    return position < limit;
  }

  Head head() throws IOException, MalformedRequestException {
    headBytes = 0;
    String[] words = line().split(" ", -1);
    if (words.length != 3
        || !METHOD.matcher(words[0]).matches()
        || !words[1].startsWith("/")
        || !words[2].startsWith("HTTP/")) {
      throw new MalformedRequestException(400, "the request line is malformed");
    }
    if (!words[2].equals("HTTP/1.1")) {
      throw new MalformedRequestException(505, "only HTTP/1.1 is spoken here");
    }
    Map<String, List<String>> headers = headers();
    return new Head(words[0], words[1], headers, length(headers));
  }

  byte[] body(Head head) throws IOException {
    byte[] body = new byte[head.length()];
    int buffered = Math.min(body.length, limit - position);
    System.arraycopy(buffer, position, body, 0, buffered);
    position += buffered;
    if (in.readNBytes(body, buffered, body.length - buffered) < body.length - buffered) {
      throw new EOFException();
    }
    return body;
  }

  private Map<String, List<String>> headers() throws IOException, MalformedRequestException {
    Map<String, List<String>> headers = new LinkedHashMap<>();
    int count = 0;
    for (String line = line(); !line.isEmpty(); line = line()) {
      int colon = line.indexOf(':');
      if (colon < 1 || !NAME.matcher(line.substring(0, colon)).matches()) {
        throw new MalformedRequestException(400, "a header is malformed");
      }
      count++;
      if (count > MAX_HEADERS) {
        throw new MalformedRequestException(400, "there are more headers than " + MAX_HEADERS);
      }
      headers
          .computeIfAbsent(
              line.substring(0, colon).toLowerCase(Locale.ROOT), name -> new ArrayList<>(1))
          .add(line.substring(colon + 1).strip());
    }
    return headers;
  }

  private int length(Map<String, List<String>> headers) throws MalformedRequestException {
    if (headers.containsKey("transfer-encoding")) {
      throw new MalformedRequestException(501, "Transfer-Encoding is not supported");
    }
    List<String> lengths = headers.getOrDefault("content-length", List.of("0"));
    if (lengths.size() != 1 || !LENGTH.matcher(lengths.getFirst()).matches()) {
      throw new MalformedRequestException(400, "the Content-Length is malformed");
    }
    int length = Integer.parseInt(lengths.getFirst());
    if (length > maxBody) {
      throw new MalformedRequestException(413, "a body may have %d bytes".formatted(maxBody));
    }
    return length;
  }

  /** Reads a line of visible characters, blanks and tabs, without its end. */
  private String line() throws IOException, MalformedRequestException {
    StringBuilder line = new StringBuilder();
    while (true) {
      int c = next();
      if (c == '\r') {
        if (next() != '\n') {
          throw new MalformedRequestException(400, "a line of the head does not end in CR LF");
        }
        return line.toString();
      }
      if ((c < ' ' && c != '\t') || c == 0x7F) {
        throw new MalformedRequestException(400, "the head has a control character");
      }
      line.append((char) c);
    }
  }

  private int next() throws IOException, MalformedRequestException {
    if (!awaitFirst()) {
      throw new EOFException();
    }
    headBytes++;
    if (headBytes > MAX_HEAD_BYTES) {
      throw new MalformedRequestException(
          400, "the head is longer than %d bytes".formatted(MAX_HEAD_BYTES));
    }
    return buffer[position++] & 0xFF;
  }
}
