package org.keywell.rest.problem;

/** Notified when a request is not answered as asked. Thread-safe; must not throw. */
@FunctionalInterface
public interface ProblemListener {

  /** The caller is answered with this problem. */
  void answered(ProblemType type);

  /** The caller hung up during the request or its answer. */
  default void hungUp() {}
}
