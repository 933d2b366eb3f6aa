package org.keywell.client;

import org.jspecify.annotations.Nullable;

/**
 * A request that may be sent more than once, with identical bytes each time.
 *
 * @param body null for none
 * @param type of the body
 * @param id identifies it to the service, so that a repetition does not sign again; null if it
 *     needs none
 * @param testId the experiment that it belongs to; null for none
 * @param longestAnswer in bytes; protects the caller's memory from a wrong server
 */
record Call(
    String method,
    String path,
    byte @Nullable [] body,
    String type,
    @Nullable String id,
    @Nullable String testId,
    int longestAnswer) {
  static final String JSON = "application/json";

  /** Far above what Keywell answers to a request, or in one of a log's hash tiles. */
  private static final int USUAL_LIMIT = 1 << 20;

  /** A log's bundle: 256 entries of up to 65,535 bytes, each after its length. */
  private static final int LOG_LIMIT = 256 * (2 + 65_535);

  static Call get(String path, @Nullable String id) {
    return new Call("GET", path, null, JSON, id, null, USUAL_LIMIT);
  }

  static Call getOfLog(String path, @Nullable String id) {
    return new Call("GET", "log/" + path, null, JSON, id, null, LOG_LIMIT);
  }

  static Call delete(String path, String id) {
    return new Call("DELETE", path, null, JSON, id, null, USUAL_LIMIT);
  }

  static Call post(String path, Object body, @Nullable String id) {
    return new Call("POST", path, Json.write(body), JSON, id, null, USUAL_LIMIT);
  }

  static Call post(String path, String type, byte[] body) {
    return new Call("POST", path, body, type, null, null, USUAL_LIMIT);
  }

  Call inTest(@Nullable String name) {
    return new Call(method, path, body, type, id, name, longestAnswer);
  }
}
