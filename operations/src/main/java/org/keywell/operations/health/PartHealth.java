package org.keywell.operations.health;

import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;

/** Shows a part in Spring Boot's health endpoint. */
final class PartHealth implements HealthIndicator {

  private final ReadinessPart part;

  PartHealth(ReadinessPart part) {
    this.part = part;
  }

  @Override
  public Health health() {
    PartState state = part.state();
    Health.Builder health = state.isReady() ? Health.up() : Health.outOfService();
    state
        .fault()
        .ifPresent(fault ->
            health
                .withDetail("reason", fault.reason())
                .withDetail("since", fault.since().toString()));
    if (!state.warnings().isEmpty()) {
      health.withDetail("warnings", state.warnings());
    }
    return health.withDetails(state.details()).build();
  }
}
