package org.keywell.loadgen.cli;

/** What the program ends with. A run that is interrupted ends with the signal's usual code. */
final class ExitCodes {
  static final int DONE = 0;
  static final int FAILED = 1;
  static final int MISUSED = 2;
  static final int REQUIREMENT_NOT_MET = 3;

  private ExitCodes() {}
}
