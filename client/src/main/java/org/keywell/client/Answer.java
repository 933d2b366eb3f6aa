package org.keywell.client;

import java.net.URI;
import java.net.http.HttpHeaders;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.regex.Pattern;
import tools.jackson.core.JacksonException;

/** The answer to one exchange. */
record Answer(URI uri, int status, HttpHeaders headers, byte[] body) {
  /** Replies of Tomcat, nginx and Go to HTTP on a TLS port. */
  private static final Pattern WANTS_TLS =
      Pattern.compile(
          "requires TLS|HTTP request was sent to HTTPS port|HTTP request to an HTTPS server");

  private static final Pattern SECONDS = Pattern.compile("[0-9]{1,9}");

  static Answer of(HttpResponse<byte[]> response) {
    return new Answer(response.uri(), response.statusCode(), response.headers(), response.body());
  }

  /**
   * Checks that the request did not reach a TLS port without TLS.
   *
   * @throws UnexpectedAnswerException if it did
   */
  void requireNotForTls() throws UnexpectedAnswerException {
    if (status == 400
        && "http".equals(uri.getScheme())
        && WANTS_TLS.matcher(new String(body, StandardCharsets.ISO_8859_1)).find()) {
      throw new UnexpectedAnswerException(
          uri + " is asked without TLS and expects it: begin the address with https://", null);
    }
  }

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

  /** Returns the problem that the answer describes, or one derived from its status. */
  Problem problem() {
    if (headers.firstValue("Content-Type").orElse("").startsWith("application/problem+json")) {
      try {
        return Json.problem(body).with(status, retryAfter().orElse(null));
      } catch (JacksonException e) {
        // Fall through: a malformed document says nothing beyond its status.
      }
    }
    return new Problem(null, null, uri + undetailed(), status, null, retryAfter().orElse(null));
  }

  /**
   * Keywell gives details. A load balancer in front of it may not if it limits requests or fails.
   */
  private String undetailed() {
    return status < 500 && status != 401 && status != 403 && status != 429
        ? " answered without details, as no Keywell service does: is this its address and its port?"
        : " answered without details";
  }

  /** Returns {@code Retry-After} if given in seconds (RFC 9110, 10.2.3). */
  Optional<Duration> retryAfter() {
    return headers
        .firstValue("Retry-After")
        .map(String::strip)
        .filter(text -> SECONDS.matcher(text).matches())
        .map(text -> Duration.ofSeconds(Long.parseLong(text)));
  }
}
