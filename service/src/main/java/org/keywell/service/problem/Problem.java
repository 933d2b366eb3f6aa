package org.keywell.service.problem;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.keywell.service.request.Refusal;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import tools.jackson.databind.json.JsonMapper;

/**
 * What went wrong with one request.
 *
 * @param detail for the caller: names the field or limit; never holds personal data
 * @param retryAfter when the same request may succeed; null if it will not by itself
 * @param heldBy the instance that has what was asked for; null if that is not what went wrong
 */
public record Problem(
    ProblemType type, String detail, @Nullable Duration retryAfter, @Nullable String heldBy) {

  /** The member of {@link #heldBy} (RFC 9457, section 3.2). */
  public static final String HELD_BY = "heldBy";

  /** Of the document. */
  public static final String MEDIA_TYPE = MediaType.APPLICATION_PROBLEM_JSON_VALUE;

  private static final JsonMapper JSON = JsonMapper.shared();

  public Problem(ProblemType type, String detail) {
    this(type, detail, null);
  }

  public Problem(ProblemType type, String detail, @Nullable Duration retryAfter) {
    this(type, detail, retryAfter, null);
  }

  /** A refusal of the core, as HTTP tells it. */
  public static Problem of(Refusal refusal) {
    return new Problem(
        ProblemType.of(refusal.reason()), refusal.detail(), refusal.retryAfter(), refusal.heldBy());
  }

  /** When to ask again, in whole seconds: {@link #retryAfter} rounded up, 1 at the least. */
  public long retryAfterSeconds() {
    return retryAfter == null ? 1 : Math.max(1, retryAfter.plusNanos(999_999_999).toSeconds());
  }

  /** The RFC 9457 document, for answers that are not Spring's. */
  public byte[] document() {
    return document(type.status().value());
  }

  /**
   * @param status what HTTP calls it more precisely than the type does
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

  /** The RFC 9457 document. */
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
