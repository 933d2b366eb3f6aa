package org.keywell.keypool;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * The thread that runs a {@link KeyLoader}. Twice a second, however busy or unlucky the loader is,
 * it also lets the loader look for kinds of key that had run out. While the device is known to fail
 * it waits, and claims nothing that would have to go back.
 */
final class LoaderThread implements AutoCloseable {

  /** How soon a store that was found empty is asked again, since others may have filled it. */
  private static final Duration LOOK_AGAIN = Duration.ofMillis(500);

  /** How soon it goes on once the device works again. */
  private static final Duration LOOK_AT_DEVICE = Duration.ofMillis(100);

  private final KeyLoader loader;
  private final Shelves shelves;
  private final LongSupplier nanoClock;
  private final Worker worker;
  private long lookedNanos;
  private volatile boolean ending;

  /**
   * @param suffix of its name
   */
  LoaderThread(KeyLoader loader, Shelves shelves, LongSupplier nanoClock, String suffix) {
    this.loader = loader;
    this.shelves = shelves;
    this.nanoClock = nanoClock;
    this.lookedNanos = nanoClock.getAsLong();
    this.worker = new Worker("keywell-loader" + suffix, this::run);
  }

  void start() {
    worker.start();
  }

  /** Ends after the batch that is being loaded. */
  @Override
  public void close() {
    end(Worker.LONGEST_JOIN);
  }

  /** As {@link #close}. Returns whether it has ended in time. */
  boolean end(Duration limit) {
    ending = true;
    worker.stop();
    return worker.join(limit);
  }

  /** Ends a pause after a failure. */
  void wake() {
    worker.wake();
  }

  /** Whether the thread has ended although nobody asked it to. */
  boolean isBroken() {
    return worker.isBroken();
  }

  /** Waits for a device that fails within one step: for the worker that goes on as it was. */
  private Duration run() throws InterruptedException {
    while (step(LOOK_AGAIN) == KeyLoader.Step.DEVICE_FAILS && !ending) {
      TimeUnit.NANOSECONDS.sleep(LOOK_AT_DEVICE.toNanos());
    }
    return Duration.ZERO;
  }

  /** Only the loader's thread, or a test in its place, calls this. */
  KeyLoader.Step step(Duration maxWait) throws InterruptedException {
    long now = nanoClock.getAsLong();
    if (now - lookedNanos >= LOOK_AGAIN.toNanos()) {
      lookedNanos = now;
      shelves.storeRefilled();
    }
    return loader.loadNext(maxWait);
  }
}
