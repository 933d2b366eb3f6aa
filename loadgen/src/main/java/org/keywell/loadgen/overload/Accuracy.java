package org.keywell.loadgen.overload;

/** How close a result is to what was calculated, as in the thesis's Table 4-2. */
public final class Accuracy {

  private Accuracy() {}

  /**
   * Returns 100 · (1 − |calculated − actual| / calculated): 100 if both are equal, negative if they
   * differ by more than the calculated value.
   *
   * @param calculated more than 0
   */
  public static double percent(double calculated, double actual) {
    if (!(calculated > 0)) {
      throw new IllegalArgumentException("nothing can be measured against " + calculated);
    }
    return 100 * (1 - Math.abs(calculated - actual) / calculated);
  }
}
