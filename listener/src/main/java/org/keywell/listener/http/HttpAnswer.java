package org.keywell.listener.http;

import static java.nio.charset.StandardCharsets.US_ASCII;

import org.jspecify.annotations.Nullable;

/**
 * An answer.
 *
 * @param failure what it tells of, in one word; null: success
 * @param json ASCII
 */
public record HttpAnswer(int status, @Nullable String failure, String json) {

  /**
   * Returns the bytes to send.
   *
   * @param last whether the connection ends with this answer
   */
  byte[] message(boolean last) {
    return "HTTP/1.1 %d \r\nContent-Type: application/json\r\nContent-Length: %d\r\n%s\r\n%s"
        .formatted(status, json.length(), last ? "Connection: close\r\n" : "", json)
        .getBytes(US_ASCII);
  }
}
