package org.keywell.loadgen.speed;

import com.fasterxml.jackson.annotation.JsonProperty;

/**
 * What was counted in one measurement. Each operation succeeded.
 *
 * @param seconds from the start to the last answer
 * @param usedUp whether it ended early, because the pool's pairs were used
 */
public record SpeedTrial(long operations, double seconds, boolean usedUp) {

  /** Returns operations a minute. */
  @JsonProperty
  public double perMinute() {
    return operations * 60 / seconds;
  }
}
