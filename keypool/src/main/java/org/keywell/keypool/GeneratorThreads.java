package org.keywell.keypool;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.stream.IntStream;
import org.keywell.keypool.worker.Worker;

/** The threads that run a {@link KeyGenerator}; one by default, as in the thesis. */
final class GeneratorThreads implements AutoCloseable {

  /** How soon to check again whether pools are full; other instances may change the store. */
  private static final Duration LOOK_AGAIN = Duration.ofMillis(500);

  /** How soon to retry a device whose throw-away key was not good. */
  private static final Duration TRY_AGAIN = Duration.ofSeconds(10);

  /** A batch takes no further key once this long has passed since its start. */
  private static final long TOGETHER_NANOS = Duration.ofMillis(5).toNanos();

  private final List<Worker> workers;
  private final AtomicReferenceArray<GeneratorState> states;
  private volatile boolean ending;

  /**
   * @param threads at least 1
   * @param suffix of their names
   */
  GeneratorThreads(KeyGenerator generator, int threads, String suffix) {
    if (threads < 1) {
      throw new IllegalArgumentException(
          "generator-threads is " + threads + ", expected at least 1");
    }
    this.states = new AtomicReferenceArray<>(threads);
    setAll(GeneratorState.STOPPED);
    this.workers =
        IntStream.range(0, threads)
            .mapToObj(i ->
                new Worker(
                    "keywell-generator-" + (i + 1) + suffix,
                    () -> step(generator, i),
                    () -> states.get(i) == GeneratorState.WORKING))
            .toList();
  }

  void start() {
    workers.forEach(Worker::start);
  }

  /** Ends after the keys that are being generated. */
  @Override
  public void close() {
    end(Worker.LONGEST_JOIN);
  }

  /** Asks them to end after the keys that are being generated. */
  void stop() {
    ending = true;
    workers.forEach(Worker::stop);
  }

  /** As {@link #close}. Returns whether all threads have ended in time. */
  boolean end(Duration limit) {
    stop();
    boolean ended = Worker.join(workers, limit);
    setAll(GeneratorState.STOPPED);
    return ended;
  }

  /** Ends the threads' pauses after failures. */
  void wake() {
    workers.forEach(Worker::wake);
  }

  /** Returns how many threads are in this state. */
  int threads(GeneratorState state) {
    return (int) IntStream.range(0, states.length()).filter(i -> states.get(i) == state).count();
  }

  /** Whether a thread has ended without being asked to. */
  boolean isBroken() {
    return workers.stream().anyMatch(Worker::isBroken);
  }

  private Duration step(KeyGenerator generator, int thread) throws InterruptedException {
    boolean returned = false;
    try {
      KeyGenerator.Step step =
          generator.generateNext(
              LOOK_AGAIN,
              () -> states.set(thread, GeneratorState.WORKING),
              nanos -> !ending && nanos < TOGETHER_NANOS);
      returned = true;
      return switch (step) {
        // At once: the next step starts a key or finds the device busy.
        case GENERATED -> Duration.ZERO;
        case DEVICE_BUSY -> {
          states.set(thread, GeneratorState.PAUSED);
          yield Duration.ZERO;
        }
        case DISCARDED -> {
          states.set(thread, GeneratorState.FAILING);
          yield Duration.ZERO;
        }
        case TRIAL_PASSED -> {
          states.set(thread, GeneratorState.DISTRUSTED);
          yield Duration.ZERO;
        }
        case TRIAL_FAILED -> {
          states.set(thread, GeneratorState.DISTRUSTED);
          yield TRY_AGAIN;
        }
        case POOLS_FULL -> {
          states.set(thread, GeneratorState.FULL);
          yield LOOK_AGAIN;
        }
      };
    } finally {
      if (!returned) {
        states.set(thread, GeneratorState.FAILING);
      }
    }
  }

  private void setAll(GeneratorState state) {
    for (int i = 0; i < states.length(); i++) {
      states.set(i, state);
    }
  }
}
