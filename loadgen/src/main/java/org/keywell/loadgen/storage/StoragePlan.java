package org.keywell.loadgen.storage;

/**
 * What a run measures.
 *
 * @param seconds of each measurement
 * @param rounds of both servers, in turn
 * @param scale of pgbench: 100,000 accounts each
 */
public record StoragePlan(int seconds, int rounds, int scale) {
  private static final long ROOM_BYTES = 2_500L << 20;
  private static final long BYTES_EACH = 24L << 20;

  /** Returns the size of a server's file system: tables, indexes and PostgreSQL's log. */
  public long volumeBytes() {
    return ROOM_BYTES + scale * BYTES_EACH;
  }
}
