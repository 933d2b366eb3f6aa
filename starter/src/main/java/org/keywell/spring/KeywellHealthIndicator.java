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
 * one call of two seconds at the most while it is ready; nothing is signed.
 *
 * <p>The application may be a caller that signs and does not observe: then its health is unknown,
 * which is no fault of the application's.
 */
final class KeywellHealthIndicator extends AbstractHealthIndicator {

  /** A look at the health must not last as long as a signature may. */
  private static final Duration LIMIT = Duration.ofSeconds(2);

  private final KeywellClient client;

  KeywellHealthIndicator(KeywellClient client) {
    super("Keywell cannot be asked");
    this.client = client.within(LIMIT);
  }

  @Override
  protected void doHealthCheck(Health.Builder builder) throws IOException {
    try {
      if (client.isReady()) {
        builder.up();
      } else {
        explain(builder);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      builder.unknown().withDetail("reason", "interrupted");
    }
  }

  /** The pool is behind the same role as readiness, and says why it does not answer. */
  private void explain(Health.Builder builder) throws IOException, InterruptedException {
    try {
      client.pool();
      builder.outOfService().withDetail("reason", "not ready");
    } catch (ServiceProblemException e) {
      Problem problem = e.problem();
      if (problem.is("role-missing")) {
        builder.unknown();
      } else {
        builder.down();
      }
      builder.withDetail("reason", problem.summary());
    }
  }
}
