package org.keywell.ca.timestamp;

import java.time.Duration;
import java.util.regex.Pattern;

/**
 * What the time stamps of a unit promise.
 *
 * @param identifier of the policy that they are issued under, an object identifier in dotted form
 * @param accuracy how far their time may be from UTC, in whole milliseconds, 1 ms to 1 s (ETSI EN
 *     319 422, clause 5.2.2)
 */
public record TimeStampPolicy(String identifier, Duration accuracy) {

  private static final Duration BEST = Duration.ofMillis(1);
  private static final Duration WORST = Duration.ofSeconds(1);
  private static final Pattern IDENTIFIER = Pattern.compile("[012](\\.(0|[1-9][0-9]*))+");

  public TimeStampPolicy {
    if (!IDENTIFIER.matcher(identifier).matches()) {
      throw new IllegalArgumentException("'%s' is no object identifier".formatted(identifier));
    }
    if (accuracy.compareTo(BEST) < 0 || accuracy.compareTo(WORST) > 0) {
      throw new IllegalArgumentException("time stamps are accurate to 1 ms to 1 s");
    }
  }
}
