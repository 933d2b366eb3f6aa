package org.keywell.xks.api;

import org.jspecify.annotations.Nullable;

/**
 * Listens to how requests are answered, on the thread that answers them: it must be quick.
 * Thread-safe; must not throw.
 */
@FunctionalInterface
public interface AnswerListener {

  /** Listens to nothing. */
  AnswerListener NONE = (operation, error, nanos) -> {};

  /**
   * A request is about to get its answer.
   *
   * @param operation its name; null: nothing is served at its path, or it could not be read
   * @param error its {@code errorName}; null: it succeeded
   * @param nanos since its first byte; 0 if it could not be read
   */
  void answered(@Nullable String operation, @Nullable String error, long nanos);
}
