package org.keywell.signing.record;

/**
 * Listens to the record writer's transactions: called in order, after each and before those who
 * wait for it. Must not block or throw.
 */
public interface RecordListener {

  /** A transaction was committed. */
  default void committed(int entries, long nanos) {}

  /** A transaction failed; its entries may be retried one by one. */
  default void failed(int entries, long nanos) {}
}
