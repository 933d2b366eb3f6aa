package org.keywell.keypool;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;
import org.keywell.keypool.worker.Worker;

/**
 * The threads that run a {@link KeyLoader}. Up to twice a second, even while they are busy, one of
 * them also makes the loader look for kinds of key that had run out. While the device is known to
 * fail, they wait and claim nothing that would have to go back.
 */
final class LoaderThreads implements AutoCloseable {

  /** How soon to ask an empty store again, since other instances may have filled it. */
  private static final Duration LOOK_AGAIN = Duration.ofMillis(500);

  /** How soon the threads notice that the device works again. */
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

  /** As {@link #close}. Returns whether all threads have ended in time. */
  boolean end(Duration limit) {
    ending = true;
    workers.forEach(Worker::stop);
    return Worker.join(workers, limit);
  }

  /** Ends the threads' pauses after failures. */
  void wake() {
    workers.forEach(Worker::wake);
  }

  /** Whether a thread has ended without being asked to. */
  boolean isBroken() {
    return workers.stream().anyMatch(Worker::isBroken);
  }

  /** Waits for a failing device within one step, so that the worker's backoff does not change. */
  private Duration run() throws InterruptedException {
    while (step(LOOK_AGAIN) == KeyLoader.Step.DEVICE_FAILS && !ending) {
      TimeUnit.NANOSECONDS.sleep(LOOK_AT_DEVICE.toNanos());
    }
    return Duration.ZERO;
  }

  /** Called only by these threads, or by a test in their place. */
  KeyLoader.Step step(Duration maxWait) throws InterruptedException {
    long now = nanoClock.getAsLong();
    long looked = lookedNanos.get();
    if (now - looked >= LOOK_AGAIN.toNanos() && lookedNanos.compareAndSet(looked, now)) {
      shelves.storeRefilled();
    }
    return loader.loadNext(maxWait);
  }
}
