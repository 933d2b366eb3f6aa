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
  /** Was not started, or has ended. */
  STOPPED
}
