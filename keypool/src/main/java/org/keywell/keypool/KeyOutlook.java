package org.keywell.keypool;

/** Whether a request can have a loaded key of one kind, in any working device. */
public enum KeyOutlook {
  /** One is loaded. */
  LOADED,
  /** None is loaded, but a loader may bring one. */
  COMING,
  /**
   * As {@link #COMING}, but no loader has made progress for half a second: the database or the
   * device may hang.
   */
  STALLED,
  /** None is or will be soon, e.g. the store has none or the last load failed. */
  NONE
}
