package org.keywell.client;

import org.jspecify.annotations.Nullable;

/**
 * Looks on at calls, for metrics and traces. It is told on the thread that calls, so it neither
 * blocks nor throws; and by many threads at once.
 */
public interface CallObserver {

  /**
   * A call begins, before its first try.
   *
   * @param operation one of a closed set: {@code sign}, {@code result}, {@code open-act}, {@code
   *     sign-act}, {@code cancel-act}, {@code act}, {@code chain}, {@code pool}, {@code ready}
   * @param id the request's or act's; null if it has none
   * @return is told of the end
   */
  Observed begins(String operation, @Nullable String id);

  /** One call that has begun. */
  interface Observed {

    /** Told once, whether it was answered or not. */
    void ends(CallEnd end);
  }
}
