package org.keywell.loadgen.messages;

/**
 * One measurement, from its first message to its last.
 *
 * @param serviceSeconds processor time of the service, and of the HSM in it
 * @param medianMillis half of the round trips took at most this long
 */
public record FreshTrial(MessageTrial exchange, double serviceSeconds, double medianMillis) {

  /** Returns the service's processor time for a round trip, in ms. */
  double serviceMillis() {
    return serviceSeconds * 1_000 / exchange.roundTrips();
  }
}
