package org.keywell.client;

import java.net.URI;
import java.net.http.HttpHeaders;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Optional;
import java.util.regex.Pattern;
import tools.jackson.core.JacksonException;

/** What came back from one exchange. */
record Answer(URI uri, int status, HttpHeaders headers, byte[] body) {
  private static final Pattern SECONDS = Pattern.compile("[0-9]{1,9}");

  static Answer of(HttpResponse<byte[]> response) {
    return new Answer(response.uri(), response.statusCode(), response.headers(), response.body());
  }

  /** The body as what was asked for. */
  <T> T read(Class<T> type) throws UnexpectedAnswerException {
    try {
      return Json.read(body, type);
    } catch (JacksonException e) {
      throw new UnexpectedAnswerException(
          "%s answered something that is no %s; is it a Keywell service?"
              .formatted(uri, type.getSimpleName()),
          e);
    }
  }

  CommitTimes commits() {
    return headers.firstValue("Server-Timing").map(CommitTimes::of).orElse(CommitTimes.UNKNOWN);
  }

  /**
   * The problem that the answer describes, or, if it has none, what can be told from its status.
   */
  Problem problem() {
    if (headers.firstValue("Content-Type").orElse("").startsWith("application/problem+json")) {
      try {
        return Json.problem(body).with(status, retryAfter().orElse(null));
      } catch (JacksonException e) {
        // Falls through: a broken document is worth no more than its status.
      }
    }
    return new Problem(
        null, null, uri + " answered without details", status, null, retryAfter().orElse(null));
  }

  /** {@code Retry-After} in its form of seconds (RFC 9110, 10.2.3). */
  Optional<Duration> retryAfter() {
    return headers
        .firstValue("Retry-After")
        .map(String::strip)
        .filter(text -> SECONDS.matcher(text).matches())
        .map(text -> Duration.ofSeconds(Long.parseLong(text)));
  }
}
