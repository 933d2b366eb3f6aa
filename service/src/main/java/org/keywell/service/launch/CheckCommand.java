package org.keywell.service.launch;

import java.time.Duration;
import javax.sql.DataSource;
import org.keywell.keypool.store.StoreException;
import org.keywell.settings.KeywellProperties;
import org.keywell.signing.database.DatabaseException;
import org.keywell.signing.database.VisitedDatabaseConfiguration;
import org.keywell.signing.start.StartConfiguration;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Import;

/**
 * {@code check}: whether each key ever generated is accounted for. Opens no HSM; running services
 * report what is in theirs. Exit codes: 0 if so, 3 if not, 1 if that cannot be determined.
 */
final class CheckCommand {

  private static final int DIFFERENT = 3;
  private static final int CANNOT_LOOK = 1;

  /** An idle instance reports every ten seconds: a momentary difference is gone by then. */
  private static final Duration PATIENCE = Duration.ofSeconds(25);

  private static final Duration LOOK_AGAIN = Duration.ofSeconds(1);

  private CheckCommand() {}

  @SpringBootConfiguration(proxyBeanMethods = false)
  @EnableConfigurationProperties(KeywellProperties.class)
  @Import({StartConfiguration.class, VisitedDatabaseConfiguration.class})
  static class Parts {}

  static void run() {
    int exitCode;
    try (ConfigurableApplicationContext context =
        StoppableStart.run(
            new SpringApplicationBuilder(Parts.class).web(WebApplicationType.NONE),
            "--logging.level.root=WARN",
            "--keywell.start-patience=0s")) {
      LedgerCheck check = lookUntilBalanced(context.getBean(DataSource.class));
      System.out.print(check.text());
      exitCode = check.isBalanced() ? 0 : DIFFERENT;
    } catch (StoreException | DatabaseException e) {
      System.err.println("keywell: " + e.getMessage());
      exitCode = CANNOT_LOOK;
    } catch (RuntimeException e) {
      int code = FailedStart.report(e, System.err);
      exitCode = code == FailedStart.NOT_THERE_YET ? CANNOT_LOOK : code;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      exitCode = CANNOT_LOOK;
    }
    if (exitCode != 0) {
      System.exit(exitCode);
    }
  }

  private static LedgerCheck lookUntilBalanced(DataSource dataSource) throws InterruptedException {
    long end = System.nanoTime() + PATIENCE.toNanos();
    LedgerCheck check = LedgerCheck.look(dataSource);
    while (!check.isBalanced() && System.nanoTime() < end) {
      Thread.sleep(LOOK_AGAIN);
      check = LedgerCheck.look(dataSource);
    }
    return check;
  }
}
