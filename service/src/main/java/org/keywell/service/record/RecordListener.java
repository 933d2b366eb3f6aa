package org.keywell.service.record;

/**
 * Is told of the record writer's transactions, after them and in their order, before those who wait
 * for them. Must not block or throw.
 */
public interface RecordListener {

  /** A transaction was committed. */
  default void committed(int entries, long nanos) {}

  /** A transaction failed; its entries may be tried again one by one. */
  default void failed(int entries, long nanos) {}
}
