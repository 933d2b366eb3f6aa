package org.keywell.service.jms;

import org.keywell.jms.BrokerStatus;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;

/**
 * Whether requests are taken from the broker. Not a part of readiness: without a broker, callers
 * over HTTP are served as ever.
 */
final class JmsHealth implements HealthIndicator {

  private final BrokerStatus status;

  JmsHealth(BrokerStatus status) {
    this.status = status;
  }

  @Override
  public Health health() {
    return status
        .outage()
        .map(outage ->
            Health.outOfService()
                .withDetail("reason", outage.reason())
                .withDetail("since", outage.since().toString()))
        .orElseGet(Health::up)
        .withDetail("consumers", status.consuming())
        .build();
  }
}
