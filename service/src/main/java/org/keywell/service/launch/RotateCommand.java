package org.keywell.service.launch;

import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.keywell.keypool.store.PoolMarks;
import org.keywell.settings.KeywellProperties;
import org.keywell.signing.database.RunningInstances;
import org.keywell.signing.database.VanishedInstances;
import org.keywell.signing.database.WrappingKeyRotations;
import org.keywell.signing.database.WrappingKeyUses;
import org.keywell.signing.hsm.RotationStatus;
import org.keywell.signing.hsm.TokenAccess;
import org.keywell.signing.hsm.WrappingKeyRotation;
import org.keywell.signing.log.CommandLog;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * {@code rotate-wrapping-key [--device NAME] [--now | --status]}: runs beside the services that use
 * the tokens. If it is ended, the next run goes on.
 */
final class RotateCommand {

  private static final Duration EVERY = Duration.ofSeconds(1);
  private static final Duration LINE_EVERY = Duration.ofSeconds(10);

  private RotateCommand() {}

  static void run(@Nullable String device, boolean now) {
    with(parts -> {
      KeywellProperties properties = parts.getBean(KeywellProperties.class);
      if (rotation(parts).run(TokenAccess.all(properties.hsm()), device, now)) {
        System.out.println("done");
      }
    });
  }

  static void status() {
    with(parts -> {
      KeywellProperties properties = parts.getBean(KeywellProperties.class);
      DataSource dataSource = parts.getBean(DataSource.class);
      new RotationStatus(
              new WrappingKeyRotations(dataSource),
              new WrappingKeyUses(dataSource),
              new VanishedInstances(dataSource, name(properties)),
              new RunningInstances(dataSource))
          .lines(TokenAccess.all(properties.hsm()))
          .forEach(System.out::println);
    });
  }

  private static WrappingKeyRotation rotation(ConfigurableApplicationContext parts) {
    DataSource dataSource = parts.getBean(DataSource.class);
    KeywellProperties properties = parts.getBean(KeywellProperties.class);
    String name = name(properties);
    return new WrappingKeyRotation(
        new WrappingKeyRotations(dataSource),
        new WrappingKeyUses(dataSource),
        new VanishedInstances(dataSource, name),
        new RunningInstances(dataSource),
        new PoolMarks(dataSource, name),
        new WrappingKeyRotation.Told(
            new Waiting(),
            did -> {
              System.out.println(did);
              tell(dataSource, properties, did);
            },
            () -> pause(parts),
            InstantSource.system()));
  }

  /** No instance's: an instance takes over the counters of what this discards. */
  private static String name(KeywellProperties properties) {
    return properties.instance() + "/rotate-" + ProcessHandle.current().pid();
  }

  private static void tell(DataSource dataSource, KeywellProperties properties, String did) {
    if (properties.log().isKept()) {
      ToldLog.report(
          CommandLog.tell(dataSource, properties, "command", "rotate-wrapping-key", List.of(did)));
    }
  }

  private static boolean pause(ConfigurableApplicationContext parts) {
    try {
      Thread.sleep(EVERY);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
    return !parts.isClosed();
  }

  private static void with(Consumer<ConfigurableApplicationContext> work) {
    try (ConfigurableApplicationContext parts =
        StoppableStart.run(
            new SpringApplicationBuilder(DatabaseCommand.Migrated.class)
                .web(WebApplicationType.NONE),
            "--logging.level.root=WARN")) {
      work.accept(parts);
    }
  }

  /** Shows at most a line every ten seconds. */
  private static final class Waiting implements Consumer<String> {
    private long nextNanos = System.nanoTime();

    @Override
    public void accept(String line) {
      long now = System.nanoTime();
      if (now - nextNanos >= 0) {
        System.out.println(line);
        nextNanos = now + LINE_EVERY.toNanos();
      }
    }
  }
}
