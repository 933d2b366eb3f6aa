package org.keywell.client;

import org.jspecify.annotations.Nullable;

/**
 * A request that may be sent more than once, with identical bytes each time.
 *
 * @param body JSON; null for none
 * @param id identifies it to the service, so that a repetition does not sign again; null if it
 *     needs none
 * @param testId the experiment that it belongs to; null for none
 */
record Call(
    String method,
    String path,
    byte @Nullable [] body,
    @Nullable String id,
    @Nullable String testId) {

  static Call get(String path, @Nullable String id) {
    return new Call("GET", path, null, id, null);
  }

  static Call post(String path, Object body, @Nullable String id) {
    return new Call("POST", path, Json.write(body), id, null);
  }

  Call inTest(@Nullable String name) {
    return new Call(method, path, body, id, name);
  }
}
