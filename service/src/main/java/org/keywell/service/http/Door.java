package org.keywell.service.http;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.keywell.service.problem.Problem;

/**
 * Is asked as soon as a request's head is complete: before its body is read and before anything is
 * set up for it. Thread-safe; must neither block nor throw.
 */
@FunctionalInterface
public interface Door {

  /**
   * So long a refusal is held back. Callers that ask again at once would otherwise take the
   * processor from those who are served. Less than a tenth of a second, within which a refusal is
   * promised.
   */
  Duration HELD_BACK = Duration.ofMillis(75);

  /** Why a request is turned away whatever else it says; null if it may come in. */
  @Nullable Problem refusal(String method, String path);
}
