package org.keywell.json;

import org.jspecify.annotations.Nullable;
import org.keywell.signing.request.Refusal;
import org.keywell.signing.request.Refusal.Reason;
import tools.jackson.core.JacksonException;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.databind.DatabindException;
import tools.jackson.databind.exc.UnrecognizedPropertyException;

/** Why a body could not be read, in words that quote nothing of it but names of fields. */
public final class UnreadableJson {

  private UnreadableJson() {}

  /**
   * Returns the refusal of a body.
   *
   * @param cause what Jackson threw; null if there was nothing to read
   */
  public static Refusal refusal(@Nullable Throwable cause) {
    return switch (cause) {
      case UnrecognizedPropertyException unknown ->
          new Refusal(Reason.UNKNOWN_FIELD, "'" + path(unknown) + "' is not a known field");
      case DatabindException type when !type.getPath().isEmpty() ->
          new Refusal(Reason.MALFORMED_JSON, "'" + path(type) + "' has the wrong type");
      case DatabindException _ ->
          new Refusal(Reason.MALFORMED_JSON, "the body is not a single JSON object");
      case JacksonException json ->
          new Refusal(Reason.MALFORMED_JSON, "not JSON (RFC 8259), " + place(json));
      case null, default -> new Refusal(Reason.MALFORMED_JSON, "the body is missing or unreadable");
    };
  }

  private static String place(JacksonException e) {
    TokenStreamLocation location = e.getLocation();
    return location == null
        ? "at an unknown position"
        : "line %d, column %d".formatted(location.getLineNr(), location.getColumnNr());
  }

  private static String path(DatabindException e) {
    StringBuilder path = new StringBuilder();
    e.getPath()
        .forEach(reference -> {
          if (reference.getPropertyName() != null) {
            path.append(path.isEmpty() ? "" : ".").append(reference.getPropertyName());
          }
        });
    return path.toString();
  }
}
