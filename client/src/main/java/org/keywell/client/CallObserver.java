package org.keywell.client;

import org.jspecify.annotations.Nullable;

/**
 * Observes calls, for metrics and traces. Runs on the callers' threads: must be thread-safe and
 * neither block nor throw.
 */
public interface CallObserver {

  /**
   * Called when a call starts, before its first try.
   *
   * @param operation one of a closed set: {@code sign}, {@code result}, {@code open-act}, {@code
   *     sign-act}, {@code cancel-act}, {@code act}, {@code chain}, {@code pool}, {@code ready}
   * @param id the request's or act's; null if it has none
   * @return receives the end of the call
   */
  Observed begins(String operation, @Nullable String id);

  /** A call in progress. */
  interface Observed {

    /** Called once, whether the call was answered or not. */
    void ends(CallEnd end);
  }
}
