package org.keywell.bench.tables.measure;

/** Receives progress and says whether to go on. Thread-safe. */
public interface Meter {

  /** Whether the run should end; what was timed so far still counts. */
  boolean stopped();

  /** Counts one more key or request as done. */
  void advance();
}
