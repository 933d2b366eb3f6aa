package org.keywell.client;

import org.jspecify.annotations.Nullable;

/**
 * A request, which may be sent more than once: each time byte for byte the same.
 *
 * @param body JSON; null for none
 * @param id what the service knows it by, so that a second one does not sign again; null where
 *     there is nothing to be known by
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
