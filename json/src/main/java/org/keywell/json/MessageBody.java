package org.keywell.json;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A request where no address says what is asked for: its fields do. */
public sealed interface MessageBody permits SignRequestBody, ActRequestBody, ActCallBody {

  /** Returns the id by which a repetition is known; null if it has none. */
  default @Nullable String id() {
    return switch (this) {
      case SignRequestBody request -> request.requestId();
      case ActRequestBody act -> act.actId();
      case ActCallBody call -> call.actId();
    };
  }

  /**
   * Reads a body of any kind; returns null for JSON's null.
   *
   * @param mapper as for HTTP
   * @throws tools.jackson.core.JacksonException if it has not exactly the fields of its kind
   */
  static @Nullable MessageBody read(String json, JsonMapper mapper) {
    return mapper.readValue(json, kind(mapper.readTree(json)));
  }

  private static Class<? extends MessageBody> kind(JsonNode body) {
    if (!body.has("actId") && !body.has("digestCount")) {
      return SignRequestBody.class;
    }
    return body.has("digests") || body.has("cancel") ? ActCallBody.class : ActRequestBody.class;
  }
}
