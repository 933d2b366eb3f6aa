package org.keywell.keypool;

import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * The thread that runs a {@link KeyLoader}. Twice a second, however busy or unlucky the loader is,
 * it also lets the loader look for kinds of key that had run out.
 */
final class LoaderThread implements AutoCloseable {

  /** How soon a store that was found empty is asked again, since others may have filled it. */
  private static final Duration LOOK_AGAIN = Duration.ofMillis(500);

  private final KeyLoader loader;
  private final Shelves shelves;
  private final LongSupplier nanoClock;
  private final Worker worker;
  private long lookedNanos;

  /**
   * @param suffix of its name
   */
  LoaderThread(KeyLoader loader, Shelves shelves, LongSupplier nanoClock, String suffix) {
    this.loader = loader;
    this.shelves = shelves;
    this.nanoClock = nanoClock;
    this.lookedNanos = nanoClock.getAsLong();
    this.worker = new Worker("keywell-loader" + suffix, () -> step(LOOK_AGAIN));
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

  /** Only the loader's thread, or a test in its place, calls this. */
  Duration step(Duration maxWait) throws InterruptedException {
    long now = nanoClock.getAsLong();
    if (now - lookedNanos >= LOOK_AGAIN.toNanos()) {
      lookedNanos = now;
      shelves.storeRefilled();
    }
    loader.loadNext(maxWait);
    return Duration.ZERO;
  }
}
