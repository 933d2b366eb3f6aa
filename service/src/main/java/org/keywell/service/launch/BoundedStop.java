package org.keywell.service.launch;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A stop that ends in time even if something hangs. At half the limit, requests that still wait get
 * an answer; at the limit, the process ends immediately. The next start closes anything still open,
 * as after a crash.
 */
final class BoundedStop {

  private static final Logger log = LoggerFactory.getLogger(BoundedStop.class);
  private static final String OURS = "keywell-";

  private final Duration limit;
  private final Overtime overtime;
  private final Runnable halt;

  /** An action at half-time. */
  @FunctionalInterface
  interface Overtime {
    void run() throws InterruptedException;
  }

  /**
   * @param overtime ends requests that are still at work; may block
   * @param halt ends the process at once
   */
  BoundedStop(Duration limit, Overtime overtime, Runnable halt) {
    this.limit = limit;
    this.overtime = overtime;
    this.halt = halt;
  }

  /** Stops in order, or ends the process instead. */
  void run(Runnable stop) {
    CountDownLatch stopped = new CountDownLatch(1);
    // On separate threads: the first may block when the second has to act.
    after(limit.dividedBy(2), stopped, "keywell-overtime", overtime);
    after(limit, stopped, "keywell-stop-limit", this::end);
    try {
      stop.run();
    } finally {
      stopped.countDown();
    }
  }

  private static void after(
      Duration time, CountDownLatch stopped, String threadName, Overtime action) {
    Thread.ofPlatform()
        .daemon()
        .name(threadName)
        .start(() -> {
          try {
            if (!stopped.await(time.toNanos(), TimeUnit.NANOSECONDS)) {
              action.run();
            }
          } catch (InterruptedException e) {
            log.debug("{} was interrupted", threadName);
          }
        });
  }

  private void end() {
    try {
      log.error(
          "the stop has not ended after {} s (keywell.stop-limit), so the process ends here; still"
              + " at work: {}",
          limit.toSeconds(),
          atWork(Thread.getAllStackTraces()));
    } finally {
      halt.run();
    }
  }

  /** Lists Keywell's threads and where in its code each is. */
  static String atWork(Map<Thread, StackTraceElement[]> threads) {
    return threads.entrySet().stream()
        .filter(thread -> thread.getKey().getName().startsWith(OURS))
        .map(thread -> thread.getKey().getName() + where(thread.getValue()))
        .sorted()
        .collect(Collectors.joining(", "));
  }

  private static String where(StackTraceElement[] stack) {
    return Stream.of(stack)
        .filter(frame -> frame.getClassName().startsWith("org.keywell."))
        .findFirst()
        .map(frame ->
            " in " + frame.getClassName().replaceFirst(".*\\.", "") + "." + frame.getMethodName())
        .orElse("");
  }
}
