package org.keywell.loadgen.speed;

import com.fasterxml.jackson.annotation.JsonProperty;
import org.jspecify.annotations.Nullable;

/**
 * An operation, with a number of clients.
 *
 * @param fresh with a new connection for each operation, as s_speed's {@code -no_reuse}
 * @param kept with a kept connection for each client
 */
public record SpeedRow(
    SpeedSystem system, SpeedOperation operation, int clients, SpeedTrial fresh, SpeedTrial kept) {

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

  double perMinute(boolean onKept) {
    return (onKept ? kept : fresh).perMinute();
  }

  /** Returns the published figure for as many servers; null if there is none. */
  @Nullable Double published(boolean onKept) {
    PublishedRate one = published();
    if (one == null || system == SpeedSystem.PYKMIP) {
      return null;
    }
    if (system == SpeedSystem.TWO_SERVERS) {
      return onKept ? one.twoKept() : one.twoFresh();
    }
    return onKept ? one.kept() : one.fresh();
  }
}
