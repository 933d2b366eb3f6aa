package org.keywell.keypool;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;

/**
 * The threads that run a {@link KeyLoader}. Twice a second, however busy or unlucky they are, one
 * of them also lets it look for kinds of key that had run out. While the device is known to fail
 * they wait, and claim nothing that would have to go back.
 */
final class LoaderThreads implements AutoCloseable {

  /** How soon a store that was found empty is asked again, since others may have filled it. */
  private static final Duration LOOK_AGAIN = Duration.ofMillis(500);

  /** How soon they go on once the device works again. */
  private static final Duration LOOK_AT_DEVICE = Duration.ofMillis(100);

  private final KeyLoader loader;
  private final Shelves shelves;
  private final LongSupplier nanoClock;
  private final List<Worker> workers;
  private final AtomicLong lookedNanos;
  private volatile boolean ending;

  /**
   * @param threads at least 1
   * @param suffix of their names
   */
  LoaderThreads(
      KeyLoader loader, Shelves shelves, LongSupplier nanoClock, int threads, String suffix) {
    this.loader = loader;
    this.shelves = shelves;
    this.nanoClock = nanoClock;
    this.lookedNanos = new AtomicLong(nanoClock.getAsLong());
    this.workers =
        IntStream.rangeClosed(1, threads)
            .mapToObj(i -> new Worker("keywell-loader-" + i + suffix, this::run))
            .toList();
  }

  void start() {
    workers.forEach(Worker::start);
  }

  /** Ends after the batches that are being loaded. */
  @Override
  public void close() {
    end(Worker.LONGEST_JOIN);
  }

  /** As {@link #close}. Returns whether all have ended in time. */
  boolean end(Duration limit) {
    ending = true;
    workers.forEach(Worker::stop);
    return Worker.join(workers, limit);
  }

  /** Ends their pauses after failures. */
  void wake() {
    workers.forEach(Worker::wake);
  }

  /** Whether a thread has ended that nobody asked to. */
  boolean isBroken() {
    return workers.stream().anyMatch(Worker::isBroken);
  }

  /** Waits for a device that fails within one step: for the worker that goes on as it was. */
  private Duration run() throws InterruptedException {
    while (step(LOOK_AGAIN) == KeyLoader.Step.DEVICE_FAILS && !ending) {
      TimeUnit.NANOSECONDS.sleep(LOOK_AT_DEVICE.toNanos());
    }
    return Duration.ZERO;
  }

  /** Only their threads, or a test in their place, call this. */
  KeyLoader.Step step(Duration maxWait) throws InterruptedException {
    long now = nanoClock.getAsLong();
    long looked = lookedNanos.get();
    if (now - looked >= LOOK_AGAIN.toNanos() && lookedNanos.compareAndSet(looked, now)) {
      shelves.storeRefilled();
    }
    return loader.loadNext(maxWait);
  }
}
