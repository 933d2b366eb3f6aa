package org.keywell.loadgen.messages;

import com.fasterxml.jackson.annotation.JsonProperty;

/**
 * What was counted in one measurement. Each answer was right.
 *
 * @param clientSeconds processor time of the clients, requesters and responders
 * @param brokerSeconds processor time of the broker
 */
public record MessageTrial(
    long roundTrips, double seconds, double clientSeconds, double brokerSeconds) {

  @JsonProperty
  public double perSecond() {
    return roundTrips / seconds;
  }

  /** Returns the clients' processor time for a round trip, in ms. */
  double clientMillis() {
    return clientSeconds * 1_000 / roundTrips;
  }

  /** Returns the broker's processor time for a round trip, in ms. */
  double brokerMillis() {
    return brokerSeconds * 1_000 / roundTrips;
  }
}
