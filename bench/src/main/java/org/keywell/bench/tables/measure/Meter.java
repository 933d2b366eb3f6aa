package org.keywell.bench.tables.measure;

/** Is told of progress, and tells whether to go on. Thread-safe. */
public interface Meter {

  /** Whether the run is to end: what was timed so far still counts. */
  boolean stopped();

  /** One more key or request is done. */
  void advance();
}
