package org.keywell.rest.problem;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.keywell.signing.request.Refusal;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import tools.jackson.databind.json.JsonMapper;

/**
 * What went wrong with one request.
 *
 * @param detail for the caller: names the field or limit; never contains personal data
 * @param retryAfter when the same request may succeed; null if waiting does not help
 * @param heldBy the instance that has what was requested; null for all other problems
 */
public record Problem(
    ProblemType type, String detail, @Nullable Duration retryAfter, @Nullable String heldBy) {

  /** The document's member for {@link #heldBy} (RFC 9457, section 3.2). */
  public static final String HELD_BY = "heldBy";

  public static final String MEDIA_TYPE = MediaType.APPLICATION_PROBLEM_JSON_VALUE;

  private static final JsonMapper JSON = JsonMapper.shared();

  public Problem(ProblemType type, String detail) {
    this(type, detail, null);
  }

  public Problem(ProblemType type, String detail, @Nullable Duration retryAfter) {
    this(type, detail, retryAfter, null);
  }

  /** Translates a refusal of the core for HTTP. */
  public static Problem of(Refusal refusal) {
    return new Problem(
        ProblemType.of(refusal.reason()), refusal.detail(), refusal.retryAfter(), refusal.heldBy());
  }

  /** Returns {@link #retryAfter} in whole seconds, rounded up; at least 1. */
  public long retryAfterSeconds() {
    return retryAfter == null ? 1 : Math.max(1, retryAfter.plusNanos(999_999_999).toSeconds());
  }

  /** Returns the RFC 9457 document, for answers outside Spring. */
  public byte[] document() {
    return document(type.status().value());
  }

  /**
   * @param status a more precise status than the type's
   */
  byte[] document(int status) {
    Map<String, Object> members = new LinkedHashMap<>();
    members.put("type", type.uri().toString());
    members.put("title", type.title());
    members.put("status", status);
    members.put("detail", detail);
    if (heldBy != null) {
      members.put(HELD_BY, heldBy);
    }
    return JSON.writeValueAsBytes(members);
  }

  /** Returns the RFC 9457 document. */
  public ResponseEntity<Object> toResponse() {
    ProblemDetail document = ProblemDetail.forStatusAndDetail(type.status(), detail);
    document.setType(type.uri());
    document.setTitle(type.title());
    if (heldBy != null) {
      document.setProperty(HELD_BY, heldBy);
    }
    ResponseEntity.BodyBuilder response =
        ResponseEntity.status(type.status()).contentType(MediaType.APPLICATION_PROBLEM_JSON);
    if (retryAfter != null) {
      response.header(HttpHeaders.RETRY_AFTER, Long.toString(retryAfterSeconds()));
    }
    return response.body(document);
  }
}
