package org.keywell.loadgen.speed;

import com.fasterxml.jackson.annotation.JsonProperty;
import org.jspecify.annotations.Nullable;

/**
 * An operation, with a number of clients.
 *
 * @param fresh with a new connection for each operation, as s_speed's {@code -no_reuse}
 * @param kept with a kept connection for each client
 */
public record SpeedRow(SpeedOperation operation, int clients, SpeedTrial fresh, SpeedTrial kept) {

  /** Returns operations on kept connections for each on a new one. */
  @JsonProperty
  public double ratio() {
    return kept.perMinute() / fresh.perMinute();
  }

  /** Returns the published figures; null if there are none. */
  @JsonProperty
  public @Nullable PublishedRate published() {
    return PublishedRate.of(operation, clients).orElse(null);
  }
}
