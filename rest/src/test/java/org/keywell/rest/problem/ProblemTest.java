package org.keywell.rest.problem;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;

final class ProblemTest {

  @Test
  void isAnRfc9457Document() {
    ResponseEntity<Object> response =
        new Problem(ProblemType.BAD_DIGEST, "digest has 3 bytes").toResponse();

    assertThat(response.getStatusCode().value()).isEqualTo(400);
    assertThat(response.getHeaders().getContentType())
        .isEqualTo(MediaType.APPLICATION_PROBLEM_JSON);
    assertThat(response.getBody())
        .isInstanceOfSatisfying(
            ProblemDetail.class,
            document -> {
              assertThat(document.getType()).hasToString("urn:keywell:problem:bad-digest");
              assertThat(document.getTitle()).isEqualTo(ProblemType.BAD_DIGEST.title());
              assertThat(document.getDetail()).isEqualTo("digest has 3 bytes");
              assertThat(document.getStatus()).isEqualTo(400);
            });
    assertThat(retryAfter(null)).isNull();
  }

  @ParameterizedTest
  @CsvSource({
    "-5000000000, 1",
    "0, 1",
    "1, 1",
    "999999999, 1",
    "1000000000, 1",
    "1000000001, 2",
    "1000500000, 2",
    "2000000000, 2",
    "61000000000, 61"
  })
  void retryAfterIsNeverTooEarly(long nanos, String seconds) {
    assertThat(retryAfter(Duration.ofNanos(nanos))).isEqualTo(seconds);
  }

  private static @Nullable String retryAfter(@Nullable Duration duration) {
    return new Problem(ProblemType.QUEUE_FULL, "full", duration)
        .toResponse()
        .getHeaders()
        .getFirst(HttpHeaders.RETRY_AFTER);
  }
}
