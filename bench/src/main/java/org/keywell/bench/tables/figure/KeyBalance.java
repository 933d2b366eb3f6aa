package org.keywell.bench.tables.figure;

/**
 * What became of the keys that a run made.
 *
 * @param made private keys that were generated or unwrapped in the device
 * @param destroyed those that the device destroyed, by its own word
 * @param liveBefore session keys of this process that the device counted before the first; the
 *     throw-away CA's is one of them
 * @param liveAfter the same after the last
 * @param storedAfter keys that the scratch database held at the end
 */
public record KeyBalance(
    long made, long destroyed, long liveBefore, long liveAfter, long storedAfter) {

  /** How many of the run's keys live in the device still, by its own count. */
  public long left() {
    return Math.max(0, liveAfter - liveBefore);
  }

  /** Whether nothing is left of any key. */
  public boolean clean() {
    return made == destroyed && left() == 0 && storedAfter == 0;
  }
}
