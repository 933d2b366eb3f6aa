package org.keywell.bench.tables.figure;

/**
 * The thesis's figure for a quantity, in milliseconds per key or request.
 *
 * @param toMillis greater than {@code fromMillis} for a range, otherwise the same
 */
public record Printed(Quantity quantity, double fromMillis, double toMillis) {

  /** Whether it is one time, not a range. */
  public boolean single() {
    return fromMillis == toMillis;
  }
}
