package org.keywell.bench.suite;

/**
 * A figure with its unit.
 *
 * @param label what was measured, such as {@code burst, 32 callers}
 * @param unit such as {@code requests/s} or {@code ms}
 * @param goal what it is held against; {@link Goal#NONE} where it is told only
 */
public record Reading(String label, double value, String unit, Goal goal) {

  /** A figure that is told only. */
  public static Reading of(String label, double value, String unit) {
    return new Reading(label, value, unit, Goal.NONE);
  }
}
