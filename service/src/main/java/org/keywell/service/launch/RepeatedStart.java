package org.keywell.service.launch;

import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.keywell.settings.KeywellProperties;
import org.keywell.signing.hsm.PassingFailure;
import org.keywell.signing.start.EndSignal.StartAbandonedException;
import org.keywell.signing.start.StartPatience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.env.ConfigurableEnvironment;

/**
 * Repeats a start that failed for a reason that may pass, wherever it did: what it had opened is
 * closed by then. What a token seems to lack is looked for twice: SoftHSM reads half a token while
 * another process writes its file. All attempts, with their own waits, share {@code
 * keywell.start-patience}.
 */
final class RepeatedStart {

  private static final String SETTING = "keywell.start-patience";
  private static final Duration PAUSE = Duration.ofSeconds(1);
  private static final Logger log = LoggerFactory.getLogger(RepeatedStart.class);

  private final LongSupplier nanoClock;
  private final StartPatience.Pause pause;
  private final long beganNanos;

  /** Unknown until the settings are read; then that of the first attempt. */
  private Optional<Duration> patience = Optional.empty();

  private boolean hasLookedTwice;

  RepeatedStart(LongSupplier nanoClock, StartPatience.Pause pause) {
    this.nanoClock = nanoClock;
    this.pause = pause;
    this.beganNanos = nanoClock.getAsLong();
  }

  /** Reads the patience before the settings are bound, since they can fail, too. */
  void read(ConfigurableEnvironment environment) {
    if (patience.isEmpty()) {
      patience =
          Optional.of(
              Binder.get(environment)
                  .bind(SETTING, Duration.class)
                  .orElseGet(() -> Duration.parse("PT" + KeywellProperties.START_PATIENCE)));
    }
  }

  /** Returns the arguments of an attempt that has this time left, if it is not the first one. */
  static String[] with(Optional<Duration> left, String... arguments) {
    return left.map(
            time -> {
              String[] more = Arrays.copyOf(arguments, arguments.length + 1);
              more[arguments.length] = "--%s=%dms".formatted(SETTING, time.toMillis());
              return more;
            })
        .orElse(arguments);
  }

  /**
   * Runs attempts until one succeeds.
   *
   * @param attempt receives the time left, unless it is the first one
   * @throws RuntimeException that of the last attempt, if the time is over or it will not pass
   */
  <T> T run(Function<Optional<Duration>, T> attempt) {
    Optional<Duration> left = Optional.empty();
    while (true) {
      try {
        return attempt.apply(left);
      } catch (RuntimeException e) {
        Duration now = left();
        if (!now.isPositive()) {
          throw e;
        }
        if (PassingFailure.allowsRepetition(e)) {
          log.warn(
              "the start failed and is repeated for up to {} s ({}): {}",
              now.plusMillis(999).toSeconds(),
              SETTING,
              FailedStart.line(e));
        } else if (PassingFailure.isLack(e) && !hasLookedTwice) {
          hasLookedTwice = true;
          log.info("the token is read once more: {}", FailedStart.line(e));
        } else {
          throw e;
        }
        pause(now.compareTo(PAUSE) < 0 ? now : PAUSE);
        Duration rest = left();
        left = Optional.of(rest.isNegative() ? Duration.ZERO : rest);
      }
    }
  }

  private Duration left() {
    return patience.orElse(Duration.ZERO).minusNanos(nanoClock.getAsLong() - beganNanos);
  }

  private void pause(Duration time) {
    try {
      if (pause.untilEndOr(time)) {
        throw new StartAbandonedException();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new StartAbandonedException();
    }
  }
}
