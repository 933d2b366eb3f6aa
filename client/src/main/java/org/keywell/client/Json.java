package org.keywell.client;

import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.ObjectReader;
import tools.jackson.databind.json.JsonMapper;

/** Reads and writes bodies as the contract defines them. */
final class Json {
  private static final JsonMapper MAPPER =
      JsonMapper.builder()
          // A newer service may send members that this client does not know.
          .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .build();

  /** RFC 9457 requires no member; "status" in particular may be missing. */
  private static final ObjectReader PROBLEMS =
      MAPPER.readerFor(Problem.class).without(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES);

  private Json() {}

  static byte[] write(Object body) {
    return MAPPER.writeValueAsBytes(body);
  }

  /**
   * Reads a body.
   *
   * @throws JacksonException if it has another form
   */
  static <T> T read(byte[] body, Class<T> type) {
    return MAPPER.readValue(body, type);
  }

  /** Reads a problem document; its status may be missing. */
  static Problem problem(byte[] body) {
    return PROBLEMS.readValue(body);
  }
}
