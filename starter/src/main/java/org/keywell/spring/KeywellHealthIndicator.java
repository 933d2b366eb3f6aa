package org.keywell.spring;

import java.io.IOException;
import java.time.Duration;
import org.keywell.client.KeywellClient;
import org.keywell.client.Problem;
import org.keywell.client.ServiceProblemException;
import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;

/**
 * Reports whether the service takes requests, according to its {@code /readyz}. Each check is one
 * call of at most two seconds; nothing is signed.
 *
 * <p>If the application is a caller that may neither sign nor observe, the health is unknown, which
 * does not count against the application.
 */
final class KeywellHealthIndicator extends AbstractHealthIndicator {

  /** A health check must not take as long as a signature may. */
  private static final Duration LIMIT = Duration.ofSeconds(2);

  private static final int UNAVAILABLE = 503;

  private final KeywellClient client;

  KeywellHealthIndicator(KeywellClient client) {
    super("Keywell cannot be asked");
    this.client = client.within(LIMIT);
  }

  @Override
  protected void doHealthCheck(Health.Builder builder) throws IOException {
    try {
      client.requireReady();
      builder.up();
    } catch (ServiceProblemException e) {
      explain(e.problem(), builder);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      builder.unknown().withDetail("reason", "interrupted");
    }
  }

  /** The service gives no reasons for its readiness; a problem has one. */
  private static void explain(Problem problem, Health.Builder builder) {
    if (problem.status() == UNAVAILABLE && problem.type() == null) {
      builder.outOfService().withDetail("reason", "not ready");
      return;
    }
    if (problem.is("role-missing")) {
      builder.unknown();
    } else {
      builder.down();
    }
    builder.withDetail("reason", problem.summary());
  }
}
