package org.keywell.signing.record;

/** The record queue stayed full for as long as a receipt waits for room. */
public final class RecordQueueFullException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  RecordQueueFullException(int limit) {
    super("keywell.database.record-queue-limit is reached: " + limit);
  }
}
