package org.keywell.service.launch;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.keywell.settings.KeywellProperties;
import org.keywell.signing.request.FailureReason;
import org.keywell.signing.sign.StandIn;
import org.keywell.signing.start.EndSignal;
import org.keywell.signing.start.ExitCode;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * Runs an application that a signal can end at any time. Spring's own hook lets a running start
 * finish first, and the service would be announced while it is already being closed.
 */
final class StoppableStart {

  /** Longer than the longest step of a start: the embedded PostgreSQL's first start. */
  private static final Duration STEP = Duration.ofSeconds(90);

  private final EndSignal signal = new EndSignal();
  private final CountDownLatch startOver = new CountDownLatch(1);
  private final AtomicReference<@Nullable Runnable> stop = new AtomicReference<>();

  private StoppableStart() {}

  static ConfigurableApplicationContext run(
      SpringApplicationBuilder application, String... arguments) {
    return new StoppableStart().start(application, arguments);
  }

  private ConfigurableApplicationContext start(
      SpringApplicationBuilder application, String... arguments) {
    EndSignals.handle();
    Runtime.getRuntime().addShutdownHook(new Thread(this::end, "keywell-end"));
    RepeatedStart repeated = new RepeatedStart(System::nanoTime, signal::await);
    SpringApplication parts =
        application
            .registerShutdownHook(false)
            .initializers(context -> {
              context.getBeanFactory().registerSingleton("endSignal", signal);
              repeated.read(context.getEnvironment());
            })
            .build();
    try {
      ConfigurableApplicationContext context =
          repeated.run(left -> parts.run(RepeatedStart.with(left, arguments)));
      stop.set(stopOf(context));
      return context;
    } finally {
      startOver.countDown();
    }
  }

  /** Lets an abandoned start close what it opened; stops a running service. */
  private void end() {
    signal.raise();
    try {
      startOver.await(STEP.toSeconds(), TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    Runnable stopNow = stop.get();
    if (stopNow != null) {
      stopNow.run();
    }
  }

  /** Takes the parts now: a command's context may be closed when the process ends. */
  private static Runnable stopOf(ConfigurableApplicationContext context) {
    // Only the service itself has requests.
    @Nullable StandIn standIn = context.getBeanProvider(StandIn.class).getIfAvailable();
    BoundedStop stop =
        new BoundedStop(
            context.getBean(KeywellProperties.class).stopLimit(),
            () -> {
              if (standIn != null) {
                standIn.failAll(FailureReason.INTERRUPTED, "the service stops");
              }
            },
            () -> Runtime.getRuntime().halt(ExitCode.HUNG));
    return () -> stop.run(context::close);
  }
}
