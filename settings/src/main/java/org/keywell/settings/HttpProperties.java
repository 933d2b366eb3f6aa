package org.keywell.settings;

import java.time.Duration;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * {@code keywell.http.*}.
 *
 * @param maxConnections connections that are open at the same time, 10 to 100,000
 * @param headTime from the accept, or from the first byte of a further request, to the end of the
 *     request's head; includes the TLS handshake
 * @param bodyTime from the end of the head to the end of the body
 * @param answerTime from an answer's first byte to its last; not for events, which have no last one
 * @param drain how long a stop continues to answer before it closes connections
 */
public record HttpProperties(
    @DefaultValue("1000") int maxConnections,
    @DefaultValue("10s") Duration headTime,
    @DefaultValue("10s") Duration bodyTime,
    @DefaultValue("30s") Duration answerTime,
    @DefaultValue("1s") Duration drain) {

  private static final Duration LONGEST = Duration.ofMinutes(10);

  public HttpProperties {
    require(
        maxConnections >= 10 && maxConnections <= 100_000,
        "max-connections",
        maxConnections,
        "10-100000");
    require(isTime(headTime), "head-time", headTime, "more than 0 and at most 10m");
    require(isTime(bodyTime), "body-time", bodyTime, "more than 0 and at most 10m");
    require(isTime(answerTime), "answer-time", answerTime, "more than 0 and at most 10m");
    require(
        !drain.isNegative() && drain.compareTo(Duration.ofSeconds(60)) <= 0,
        "drain",
        drain,
        "0-60s");
  }

  private static boolean isTime(Duration time) {
    return time.isPositive() && time.compareTo(LONGEST) <= 0;
  }

  private static void require(boolean holds, String name, Object value, String expected) {
    if (!holds) {
      throw new IllegalArgumentException(
          "keywell.http." + name + " is " + value + ", expected " + expected);
    }
  }
}
