package org.keywell.bench.tables.figure;

/**
 * What the thesis prints for a quantity, in milliseconds a key or a request.
 *
 * @param toMillis greater than {@code fromMillis} where it prints a range, and the same otherwise
 */
public record Printed(Quantity quantity, double fromMillis, double toMillis) {

  static Printed time(Quantity quantity, double millis) {
    return new Printed(quantity, millis, millis);
  }

  /** Whether it is one time, not a range. */
  public boolean single() {
    return fromMillis == toMillis;
  }
}
