package org.keywell.keypool;

/** Whether a request can have a loaded key of one kind, in any device that works. */
public enum KeyOutlook {
  /** One is loaded. */
  LOADED,
  /** None is, and a loader may bring one. */
  COMING,
  /**
   * As {@link #COMING}, but no loader has come forward for half a second: database or device may
   * hang.
   */
  STALLED,
  /** None is, and the store has none, or the last load failed. */
  NONE
}
