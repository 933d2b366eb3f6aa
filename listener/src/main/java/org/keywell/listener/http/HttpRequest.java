package org.keywell.listener.http;

import java.util.List;
import java.util.Map;

/**
 * A request. The record owns its array; it must not be modified.
 *
 * @param method in capitals
 * @param target as sent: a path, and what follows it
 * @param headers values by names in lower case, in the order sent
 * @param arrivedNanos when its first byte was there, by {@link System#nanoTime}
 */
public record HttpRequest(
    String method,
    String target,
    Map<String, List<String>> headers,
    byte[] body,
    long arrivedNanos) {

  /** Returns all values of a header; empty if it was not sent. */
  public List<String> values(String name) {
    return headers.getOrDefault(name, List.of());
  }
}
