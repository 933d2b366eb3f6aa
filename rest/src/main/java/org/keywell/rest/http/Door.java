package org.keywell.rest.http;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.keywell.rest.problem.Problem;

/**
 * Decides on a request as soon as its head is complete: before its body is read and before anything
 * is set up for it. Thread-safe; must neither block nor throw.
 */
@FunctionalInterface
public interface Door {

  /**
   * How long a refusal is held back. Otherwise, callers that retry at once would take processor
   * time from those being served. Less than a tenth of a second, within which a refusal is
   * promised.
   */
  Duration HELD_BACK = Duration.ofMillis(75);

  /** Returns why a request is turned away regardless of its content; null if it may come in. */
  @Nullable Problem refusal(String method, String path);
}
