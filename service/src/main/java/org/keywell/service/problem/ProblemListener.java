package org.keywell.service.problem;

/** Is told of each problem that a caller is answered with. Thread-safe; must not throw. */
@FunctionalInterface
public interface ProblemListener {

  /** Listens to nothing. */
  ProblemListener NONE = type -> {};

  void answered(ProblemType type);
}
