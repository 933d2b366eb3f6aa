package org.keywell.bench.tables.measure;

import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/** Results of an experiment's threads. */
final class Outcomes {

  private Outcomes() {}

  /**
   * Waits for a thread's result.
   *
   * @throws RuntimeException the thread's own
   * @throws ExperimentFailedException if it failed otherwise
   */
  static <T extends @Nullable Object> T of(Future<T> thread) throws InterruptedException {
    try {
      return thread.get();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof RuntimeException cause) {
        throw cause;
      }
      throw new ExperimentFailedException("a thread failed", e);
    }
  }
}
