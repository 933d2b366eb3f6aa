package org.keywell.keypool;

/** What a generating thread does. */
public enum GeneratorState {
  /** Makes a key. */
  WORKING,
  /** Waits for the device to be idle: signing goes first. */
  PAUSED,
  /** Every pool is full. */
  FULL,
  /** Pauses after a failure of the device or the database. */
  FAILING,
  /**
   * Makes throw-away keys alone, and few: the device did not take back what it had wrapped, so
   * nothing of it is stored until several in a row are good.
   */
  DISTRUSTED,
  /** Was not started, or has ended. */
  STOPPED
}
