package org.keywell.bench.suite;

/**
 * A figure with its unit.
 *
 * @param label what was measured, such as {@code burst, 32 callers}
 * @param unit such as {@code requests/s} or {@code ms}
 * @param goal what it is compared with; {@link Goal#NONE} if it is only reported
 */
public record Reading(String label, double value, String unit, Goal goal) {

  /** Creates a figure that is only reported. */
  public static Reading of(String label, double value, String unit) {
    return new Reading(label, value, unit, Goal.NONE);
  }
}
