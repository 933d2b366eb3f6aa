package org.keywell.signing.log;

import org.keywell.keypool.worker.Outage;

/** Thrown while no device signs checkpoints; the tree grows all the same. */
final class CheckpointUnsignedException extends RuntimeException implements Outage {
  private static final long serialVersionUID = 1L;

  CheckpointUnsignedException(String message) {
    super("the log: " + message);
  }
}
