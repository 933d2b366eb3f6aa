package org.keywell.service.http;

import org.jspecify.annotations.Nullable;
import org.keywell.service.problem.Problem;

/**
 * Is asked as soon as a request's head is complete: before its body is read and before anything is
 * set up for it. Thread-safe; must neither block nor throw.
 */
@FunctionalInterface
public interface Door {

  /** Why a request is turned away whatever else it says; null if it may come in. */
  @Nullable Problem refusal(String method, String path);
}
