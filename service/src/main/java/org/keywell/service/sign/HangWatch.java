package org.keywell.service.sign;

import java.time.Duration;
import java.util.function.Supplier;
import org.keywell.keypool.Worker;
import org.keywell.keypool.hsm.HsmHealth;
import org.keywell.service.request.FailureReason;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Watches for calls to the device that do not return. Nothing takes such a call back, so the
 * requests that wait for it are ended in the place of their handlers, and those in the queue, which
 * may have no handler left. Where a call does not return for long, only a new process helps.
 *
 * <p>Thread-safe. It asks the device for nothing.
 */
public final class HangWatch {

  private static final Logger log = LoggerFactory.getLogger(HangWatch.class);

  private static final Duration PACE = Duration.ofMillis(500);
  private static final String DETAIL = "a call to the HSM does not return";

  private final Supplier<HsmHealth> device;
  private final StandIn standIn;
  private final Duration atWorkLimit;
  private final Duration hangLimit;
  private final Worker worker;
  private volatile Runnable onHopeless = () -> {};
  private volatile boolean hopeless;

  /**
   * @param atWorkLimit how long a request may be at work with its key, whatever the device says:
   *     the CA's calls are not among those that the device counts
   * @param hangLimit how long a call may hang before it is hopeless; zero: for ever
   */
  public HangWatch(
      Supplier<HsmHealth> device, StandIn standIn, Duration atWorkLimit, Duration hangLimit) {
    this.device = device;
    this.standIn = standIn;
    this.atWorkLimit = atWorkLimit;
    this.hangLimit = hangLimit;
    this.worker =
        new Worker(
            "keywell-hang-watch",
            () -> {
              look();
              return PACE;
            });
  }

  /**
   * Starts the thread.
   *
   * @param hopeless is run once, when only a new process helps; must not block
   */
  public void start(Runnable hopeless) {
    this.onHopeless = hopeless;
    worker.start();
  }

  /** Returns whether the thread has ended in time. */
  public boolean end(Duration limit) {
    worker.stop();
    return worker.join(limit);
  }

  /** Whether only a new process helps. */
  public boolean isHopeless() {
    return hopeless;
  }

  /** Looks once, as the thread does twice a second. */
  void look() throws InterruptedException {
    HsmHealth health = device.get();
    int failed = standIn.failWithKey(atWorkLimit, FailureReason.HSM_UNAVAILABLE, DETAIL);
    if (health.hung()) {
      failed += standIn.failAtWork(atWorkLimit, FailureReason.HSM_UNAVAILABLE, DETAIL);
    }
    if (health.hung() || standIn.noHandlerIsLeft(atWorkLimit)) {
      failed += standIn.failQueued(FailureReason.HSM_UNAVAILABLE, DETAIL);
    }
    if (failed > 0) {
      log.error(
          "{}: {} requests are ended with hsm-unavailable; the oldest call has lasted {} ms",
          DETAIL,
          failed,
          health.oldestCall().toMillis());
    }
    Duration hang = hang(health);
    if (!hopeless && hangLimit.isPositive() && hang.compareTo(hangLimit) >= 0) {
      hopeless = true;
      log.error(
          "a call to the HSM has not returned for {} s (keywell.hsm.hang-limit): only a new process"
              + " helps, and this one ends",
          hang.toSeconds());
      onHopeless.run();
    }
  }

  /** How long the oldest call hangs that is known to; zero if none is. */
  private Duration hang(HsmHealth health) {
    Duration called = health.hung() ? health.oldestCall() : Duration.ZERO;
    Duration atWork = standIn.longestWithKey();
    return called.compareTo(atWork) > 0 ? called : atWork;
  }
}
