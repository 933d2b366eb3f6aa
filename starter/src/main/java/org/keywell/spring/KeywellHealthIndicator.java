package org.keywell.spring;

import java.io.IOException;
import java.time.Duration;
import org.keywell.client.KeywellClient;
import org.keywell.client.Problem;
import org.keywell.client.ServiceProblemException;
import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;

/**
 * Whether the service takes requests, as it says at {@code /readyz}. Asks it anew each time, with
 * one call of two seconds at the most; nothing is signed.
 *
 * <p>The application may be a caller that neither signs nor observes: then its health is unknown,
 * which is no fault of the application's.
 */
final class KeywellHealthIndicator extends AbstractHealthIndicator {

  /** A look at the health must not last as long as a signature may. */
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

  /** Of its readiness the service tells no reasons; a problem has one. */
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
