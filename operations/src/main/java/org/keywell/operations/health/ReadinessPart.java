package org.keywell.operations.health;

/** A part without which requests should go elsewhere. Thread-safe; does no I/O, never blocks. */
public interface ReadinessPart {

  /** Returns the name in health and metrics. */
  String name();

  /** Returns the current state. */
  PartState state();
}
