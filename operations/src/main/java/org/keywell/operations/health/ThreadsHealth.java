package org.keywell.operations.health;

import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;

/**
 * Whether the threads that a request depends on are alive. One that an {@link Error} ended does not
 * come back: only a new process helps, so this belongs to liveness.
 */
final class ThreadsHealth implements HealthIndicator {

  private final Map<String, BooleanSupplier> broken;

  /**
   * @param broken by name, whether threads ended that should not have
   */
  ThreadsHealth(Map<String, BooleanSupplier> broken) {
    this.broken = Map.copyOf(broken);
  }

  @Override
  public Health health() {
    List<String> names =
        broken.entrySet().stream()
            .filter(thread -> thread.getValue().getAsBoolean())
            .map(Map.Entry::getKey)
            .sorted()
            .toList();
    return names.isEmpty()
        ? Health.up().build()
        : Health.down()
            .withDetail("reason", "threads have ended; the log says why")
            .withDetail("threads", names)
            .build();
  }
}
