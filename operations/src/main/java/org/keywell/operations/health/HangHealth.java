package org.keywell.operations.health;

import java.util.function.BooleanSupplier;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;

/** Whether a call to the HSM has hung so long that only a new process helps. */
final class HangHealth implements HealthIndicator {

  private final BooleanSupplier hopeless;

  HangHealth(BooleanSupplier hopeless) {
    this.hopeless = hopeless;
  }

  @Override
  public Health health() {
    return hopeless.getAsBoolean()
        ? Health.down()
            .withDetail("reason", "a call to the HSM has not returned for keywell.hsm.hang-limit")
            .build()
        : Health.up().build();
  }
}
