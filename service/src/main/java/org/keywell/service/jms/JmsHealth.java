package org.keywell.service.jms;

import java.util.List;
import org.keywell.jms.BrokerStatus;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;

/**
 * Whether requests are taken from every queue of the broker. Not a part of readiness: without a
 * broker, callers over HTTP are served as ever.
 */
final class JmsHealth implements HealthIndicator {

  private final List<BrokerStatus> queues;

  JmsHealth(List<BrokerStatus> queues) {
    this.queues = List.copyOf(queues);
  }

  @Override
  public Health health() {
    return queues.stream()
        .flatMap(queue -> queue.outage().stream())
        .findFirst()
        .map(outage ->
            Health.outOfService()
                .withDetail("reason", outage.reason())
                .withDetail("since", outage.since().toString()))
        .orElseGet(Health::up)
        .withDetail("consumers", queues.stream().mapToInt(BrokerStatus::consuming).sum())
        .build();
  }
}
