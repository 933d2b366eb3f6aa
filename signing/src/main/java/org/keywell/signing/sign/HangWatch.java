package org.keywell.signing.sign;

import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.keywell.keypool.hsm.HsmHealth;
import org.keywell.keypool.worker.Worker;
import org.keywell.signing.request.FailureReason;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Watches for device calls that do not return. Such a call cannot be cancelled, so the requests
 * that wait for it are ended in their handlers' place. While another device signs, that is all: the
 * others continue. If every device that signs hangs, or no handler is left, queued requests are
 * ended, too; if that lasts, only a new process helps.
 *
 * <p>Thread-safe. Never calls a device.
 */
public final class HangWatch {

  private static final Logger log = LoggerFactory.getLogger(HangWatch.class);

  private static final Duration PACE = Duration.ofMillis(500);
  private static final String DETAIL = "a call to the HSM does not return";

  private final Supplier<List<HsmHealth>> devices;
  private final StandIn standIn;
  private final Duration atWorkLimit;
  private final Duration hangLimit;
  private final AwakeTime awakeTime;
  private final Worker worker;
  private volatile Runnable onHopeless = () -> {};
  private volatile boolean hopeless;

  /**
   * @param devices those that sign, at least one
   * @param atWorkLimit how long a request may be at work with its key, regardless of what the
   *     device reports: its calls do not include the CA's
   * @param hangLimit how long a call may hang before it is hopeless; zero: forever
   * @param nanoClock elapsed time, as {@link System#nanoTime}
   */
  public HangWatch(
      Supplier<List<HsmHealth>> devices,
      StandIn standIn,
      Duration atWorkLimit,
      Duration hangLimit,
      LongSupplier nanoClock) {
    this.devices = devices;
    this.standIn = standIn;
    this.atWorkLimit = atWorkLimit;
    this.hangLimit = hangLimit;
    this.awakeTime = new AwakeTime(PACE, nanoClock);
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
   * @param hopeless runs once, when only a new process helps; must not block
   */
  public void start(Runnable hopeless) {
    this.onHopeless = hopeless;
    worker.start();
  }

  /** Stops the thread. Returns whether it ended in time. */
  public boolean end(Duration limit) {
    worker.stop();
    return worker.join(limit);
  }

  /** Whether only a new process helps. */
  public boolean isHopeless() {
    return hopeless;
  }

  /**
   * Does one round, as the thread does twice a second. After the process was frozen, nothing counts
   * as lasting longer than it has been awake.
   */
  void look() throws InterruptedException {
    Duration awake = awakeTime.lookBegins();
    try {
      if (awake.compareTo(atWorkLimit) >= 0) {
        look(awake);
      }
    } finally {
      awakeTime.lookEnded();
    }
  }

  private void look(Duration awake) throws InterruptedException {
    List<HsmHealth> now = devices.get();
    boolean allHang = now.stream().allMatch(HsmHealth::hung);
    boolean noHandlerIsLeft = standIn.noHandlerIsLeft(atWorkLimit);
    int failed = standIn.failWithKey(atWorkLimit, FailureReason.HSM_UNAVAILABLE, DETAIL);
    if (allHang) {
      failed += standIn.failAtWork(atWorkLimit, FailureReason.HSM_UNAVAILABLE, DETAIL);
    } else if (now.stream().anyMatch(HsmHealth::hung)) {
      // Another device may still give a key to requests with time left.
      failed += standIn.failPastDeadline(atWorkLimit, FailureReason.HSM_UNAVAILABLE, DETAIL);
    }
    if (allHang || noHandlerIsLeft) {
      failed += standIn.failQueued(FailureReason.HSM_UNAVAILABLE, DETAIL);
    }
    if (failed > 0) {
      log.error(
          "{}: {} requests are ended with hsm-unavailable; the oldest call has lasted {} ms",
          DETAIL,
          failed,
          now.stream().mapToLong(device -> device.oldestCall().toMillis()).max().orElse(0));
    }
    Duration hang = shorter(hang(now, noHandlerIsLeft), awake);
    if (!hopeless && hangLimit.isPositive() && hang.compareTo(hangLimit) >= 0) {
      hopeless = true;
      log.error(
          "a call to the HSM has not returned for {} s (keywell.hsm.hang-limit): only a new process"
              + " helps, and this one ends",
          hang.toSeconds());
      onHopeless.run();
    }
  }

  /**
   * Returns for how long, as far as is known, nothing has been signed because calls hang. One
   * hanging handler of several counts only if no other device can continue.
   */
  private Duration hang(List<HsmHealth> now, boolean noHandlerIsLeft) {
    Duration called =
        now.stream()
            .map(device -> device.hung() ? device.oldestCall() : Duration.ZERO)
            .min(Comparator.naturalOrder())
            .orElse(Duration.ZERO);
    Duration atWork = now.size() == 1 || noHandlerIsLeft ? standIn.longestWithKey() : Duration.ZERO;
    return called.compareTo(atWork) > 0 ? called : atWork;
  }

  private static Duration shorter(Duration one, Duration other) {
    return one.compareTo(other) < 0 ? one : other;
  }
}
