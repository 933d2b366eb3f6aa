package org.keywell.listener;

import org.jspecify.annotations.Nullable;

/** An open connection, as {@link Admission} sees it. Thread-safe. */
public interface Guest {

  /**
   * How a connection keeps the service waiting.
   *
   * @param resting between two requests, with nothing in transit
   * @param sinceNanos by the clock of all guests of a port
   */
  record Wait(boolean resting, long sinceNanos) {}

  /** Returns where it comes from. */
  Origin origin();

  /** Returns how it keeps the service waiting; null if it keeps its place. */
  @Nullable Wait waiting();
}
