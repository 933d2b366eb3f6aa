package org.keywell.service.problem;

/** Is told of each problem that a caller is answered with. Thread-safe; must not throw. */
@FunctionalInterface
public interface ProblemListener {

  void answered(ProblemType type);
}
