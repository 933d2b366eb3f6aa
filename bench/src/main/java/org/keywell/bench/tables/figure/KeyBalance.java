package org.keywell.bench.tables.figure;

/**
 * What became of the keys of a run.
 *
 * @param made private keys generated or unwrapped in the device
 * @param destroyed those that the device reported as destroyed
 * @param liveBefore session keys of this process that the device counted before the first,
 *     including the throw-away CA's
 * @param liveAfter the same after the last
 * @param storedAfter keys that the scratch database held at the end
 */
public record KeyBalance(
    long made, long destroyed, long liveBefore, long liveAfter, long storedAfter) {

  /** Returns how many of the run's keys are still live in the device, by its own count. */
  public long left() {
    return Math.max(0, liveAfter - liveBefore);
  }

  /** Whether nothing is left of any key. */
  public boolean clean() {
    return made == destroyed && left() == 0 && storedAfter == 0;
  }
}
