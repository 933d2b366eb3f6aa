package org.keywell.keypool.generate;

import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.keywell.keypool.Worker;

/** The threads that run a {@link KeyGenerator}; one by default, as in the thesis. */
public final class GeneratorThreads implements AutoCloseable {

  /** How soon a full pool, or a change of the store by others, is looked at again. */
  private static final Duration LOOK_AGAIN = Duration.ofMillis(500);

  private final List<Worker> workers;

  /**
   * @param threads at least 1
   */
  public GeneratorThreads(KeyGenerator generator, int threads) {
    if (threads < 1) {
      throw new IllegalArgumentException(
          "generator-threads is " + threads + ", expected at least 1");
    }
    this.workers =
        IntStream.rangeClosed(1, threads)
            .mapToObj(i -> new Worker("keywell-generator-" + i, () -> step(generator)))
            .toList();
  }

  public void start() {
    workers.forEach(Worker::start);
  }

  /** Ends after the keys that are being generated. */
  @Override
  public void close() {
    workers.forEach(Worker::stop);
    workers.forEach(Worker::join);
  }

  private static Duration step(KeyGenerator generator) throws InterruptedException {
    return switch (generator.generateNext(LOOK_AGAIN)) {
      case GENERATED, DEVICE_BUSY -> Duration.ZERO;
      case POOLS_FULL -> LOOK_AGAIN;
    };
  }
}
