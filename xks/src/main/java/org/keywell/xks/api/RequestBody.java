package org.keywell.xks.api;

import java.util.Base64;
import org.jspecify.annotations.Nullable;
import org.keywell.xks.error.XksError;
import org.keywell.xks.error.XksException;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A request's body. Members that are not asked for are ignored, since the specification adds some
 * over time. Refuses with {@link XksError#VALIDATION}.
 */
final class RequestBody {

  /** Of an ARN, and of anything else that a client says about itself. */
  private static final int MAX_TEXT = 2048;

  private static final JsonMapper JSON =
      JsonMapper.builder()
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .build();

  private final JsonNode json;
  private final JsonNode metadata;

  private RequestBody(JsonNode json) {
    this.json = json;
    this.metadata = json.path("requestMetadata");
  }

  static RequestBody parse(byte[] body) {
    JsonNode json;
    try {
      json = JSON.readTree(body);
    } catch (JacksonException e) {
      throw invalid("the body is not JSON");
    }
    RequestBody parsed = new RequestBody(json);
    if (!json.isObject() || !parsed.metadata.isObject()) {
      throw invalid("requestMetadata is missing");
    }
    return parsed;
  }

  /** Returns a member of {@code requestMetadata}. */
  String metadata(String name) {
    return text(metadata, name);
  }

  /** Returns a member of {@code requestMetadata}; empty if it is missing. */
  String optionalMetadata(String name) {
    return metadata.has(name) ? text(metadata, name) : "";
  }

  private static String text(JsonNode parent, String name) {
    JsonNode value = parent.path(name);
    if (!value.isString() || value.stringValue().isEmpty()) {
      throw invalid(name + " is missing, or no text");
    }
    if (value.stringValue().length() > MAX_TEXT) {
      throw invalid("%s is longer than %d characters".formatted(name, MAX_TEXT));
    }
    return value.stringValue();
  }

  void requireAesGcm() {
    if (!text(json, "encryptionAlgorithm").equals("AES_GCM")) {
      throw invalid("encryptionAlgorithm is not AES_GCM");
    }
  }

  /** Whether the client asks for a {@code ciphertextDataIntegrityValue}. */
  boolean asksForIntegrityValue() {
    String member = "ciphertextDataIntegrityValueAlgorithm";
    if (!has(member)) {
      return false;
    }
    if (!text(json, member).equals("SHA_256")) {
      throw invalid(member + " is not SHA_256");
    }
    return true;
  }

  /** Returns a member in Base64. */
  byte[] bytes(String name) {
    byte[] bytes = optionalBytes(name);
    if (bytes == null) {
      throw invalid(name + " is missing");
    }
    return bytes;
  }

  /** Returns a member in Base64; null if it is missing. */
  byte @Nullable [] optionalBytes(String name) {
    if (!has(name)) {
      return null;
    }
    JsonNode value = json.path(name);
    if (!value.isString()) {
      throw invalid(name + " is no text");
    }
    try {
      return Base64.getDecoder().decode(value.stringValue());
    } catch (IllegalArgumentException e) {
      throw invalid(name + " is not Base64");
    }
  }

  private boolean has(String name) {
    return json.has(name) && !json.path(name).isNull();
  }

  static XksException invalid(String why) {
    return new XksException(XksError.VALIDATION, why);
  }
}
