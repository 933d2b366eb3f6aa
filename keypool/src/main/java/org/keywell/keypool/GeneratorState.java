package org.keywell.keypool;

/** What a generator thread does. */
public enum GeneratorState {
  /** Generates a key. */
  WORKING,
  /** Waits for the device to be idle: signing goes first. */
  PAUSED,
  /** Every pool is full. */
  FULL,
  /** Pauses after a failure of the device or the database. */
  FAILING,
  /**
   * Generates only throw-away keys, and few: the device did not unwrap what it had wrapped, so
   * nothing is stored until several in a row are good.
   */
  DISTRUSTED,
  /** Was not started, or has ended. */
  STOPPED
}
