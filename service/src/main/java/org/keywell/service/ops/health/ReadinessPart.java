package org.keywell.service.ops.health;

/** A part without which requests should go elsewhere. Thread-safe; asks nobody and never blocks. */
public interface ReadinessPart {

  /** The name in health answers and in metrics. */
  String name();

  /** How the part is now. */
  PartState state();
}
