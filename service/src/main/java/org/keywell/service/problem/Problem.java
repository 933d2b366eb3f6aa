package org.keywell.service.problem;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;

/**
 * What went wrong with one request.
 *
 * @param detail for the caller: names the field or limit; never holds personal data
 * @param retryAfter when the same request may succeed; null if it will not by itself
 */
public record Problem(ProblemType type, String detail, @Nullable Duration retryAfter) {

  public Problem(ProblemType type, String detail) {
    this(type, detail, null);
  }

  /** The RFC 9457 document. */
  public ResponseEntity<Object> toResponse() {
    ProblemDetail document = ProblemDetail.forStatusAndDetail(type.status(), detail);
    document.setType(type.uri());
    document.setTitle(type.title());
    ResponseEntity.BodyBuilder response =
        ResponseEntity.status(type.status()).contentType(MediaType.APPLICATION_PROBLEM_JSON);
    if (retryAfter != null) {
      response.header(HttpHeaders.RETRY_AFTER, seconds(retryAfter));
    }
    return response.body(document);
  }

  /** As {@code Retry-After} has it: whole seconds, rounded up, at least one. */
  static String seconds(Duration retryAfter) {
    return Long.toString(Math.max(1, retryAfter.plusNanos(999_999_999).toSeconds()));
  }
}
