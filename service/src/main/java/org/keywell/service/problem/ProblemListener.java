package org.keywell.service.problem;

/** Is told how requests end that are not answered as asked. Thread-safe; must not throw. */
@FunctionalInterface
public interface ProblemListener {

  /** The caller is answered with this problem. */
  void answered(ProblemType type);

  /** The caller hung up within the request or its answer. */
  default void hungUp() {}
}
