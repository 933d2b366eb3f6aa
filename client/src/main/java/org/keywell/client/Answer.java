package org.keywell.client;

import java.net.URI;
import java.net.http.HttpHeaders;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.regex.Pattern;
import tools.jackson.core.JacksonException;

/** What came back from one exchange. */
record Answer(URI uri, int status, HttpHeaders headers, byte[] body) {
  /** What Tomcat, nginx and Go's server say then. */
  private static final Pattern WANTS_TLS =
      Pattern.compile(
          "requires TLS|HTTP request was sent to HTTPS port|HTTP request to an HTTPS server");

  private static final Pattern SECONDS = Pattern.compile("[0-9]{1,9}");

  static Answer of(HttpResponse<byte[]> response) {
    return new Answer(response.uri(), response.statusCode(), response.headers(), response.body());
  }

  /**
   * Finds out whether a port that speaks TLS was asked without it.
   *
   * @throws UnexpectedAnswerException if so
   */
  void requireNotForTls() throws UnexpectedAnswerException {
    if (status == 400
        && "http".equals(uri.getScheme())
        && WANTS_TLS.matcher(new String(body, StandardCharsets.ISO_8859_1)).find()) {
      throw new UnexpectedAnswerException(
          uri + " is asked without TLS and expects it: begin the address with https://", null);
    }
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
    return new Problem(null, null, uri + undetailed(), status, null, retryAfter().orElse(null));
  }

  /**
   * Keywell gives details. A balancer in front of it may not, where it is asked too much or fails.
   */
  private String undetailed() {
    return status < 500 && status != 401 && status != 403 && status != 429
        ? " answered without details, as no Keywell service does: is this its address and its port?"
        : " answered without details";
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
