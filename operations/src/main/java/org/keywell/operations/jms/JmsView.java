package org.keywell.operations.jms;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.keywell.jms.BrokerStatus;

/**
 * The way in over a message broker, as of now. Calls neither broker nor database. Thread-safe.
 *
 * @param queues that requests come from
 */
public record JmsView(List<BrokerStatus> queues, InstantSource clock) {

  public JmsView {
    queues = List.copyOf(queues);
  }

  /** Returns how many consumers take requests. */
  public int consuming() {
    return queues.stream().mapToInt(BrokerStatus::consuming).sum();
  }

  /** Returns for how long no request has been taken from some queue; empty if all are served. */
  public Optional<Duration> outage() {
    Instant now = clock.instant();
    return queues.stream()
        .flatMap(queue -> queue.outage().stream())
        .map(outage -> Duration.between(outage.since(), now))
        .max(Duration::compareTo);
  }
}
