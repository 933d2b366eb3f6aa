package org.keywell.plan;

import java.util.Arrays;
import java.util.function.IntToDoubleFunction;

/**
 * A store of keys over a repeating week: each hour draws keys and adds keys, both evenly, and keys
 * that do not fit are not made. Exact if rates change only by the hour: a level that rises or falls
 * evenly has its extremes at the hour's ends. Immutable.
 */
final class KeyBalance {
  /** Anything less is rounding error, in sums of up to 10¹⁰ keys. */
  private static final double ROUNDING_KEYS = 1e-3;

  private final double[] netDraw = new double[Week.HOURS];

  private KeyBalance(IntToDoubleFunction netDrawPerSecond) {
    Arrays.setAll(netDraw, hour -> netDrawPerSecond.applyAsDouble(hour) * Week.SECONDS_PER_HOUR);
  }

  /** Returns the balance of stored keys: requests draw them, idle lanes make them. */
  static KeyBalance ofStoredKeys(Week week, Fleet fleet) {
    return new KeyBalance(hour -> {
      double requests = week.ratePerSecond(hour);
      return requests - fleet.generatedPerSecond(requests);
    });
  }

  /** Returns the balance of keys in the HSMs' memory: requests draw them, loading adds them. */
  static KeyBalance ofLoadedKeys(Week week, double loadedPerSecond) {
    return new KeyBalance(hour -> week.ratePerSecond(hour) - loadedPerSecond);
  }

  /** Whether a week adds at least what it draws, so that a store of some size lasts forever. */
  boolean isSustainable() {
    return Arrays.stream(netDraw).sum() <= ROUNDING_KEYS;
  }

  /** Returns the fewest keys that a store, full at the start, must hold to never be empty. */
  long keysNeeded(int weeks) {
    double missing = 0;
    double most = 0;
    for (int hour = 0; hour < weeks * Week.HOURS; hour++) {
      missing = Math.max(0, missing + netDraw[hour % Week.HOURS]);
      most = Math.max(most, missing);
    }
    return (long) Math.ceil(most - ROUNDING_KEYS);
  }

  /**
   * Returns the keys needed to last: forever if possible, otherwise for one week. A drawdown that
   * ends after the turn of the week starts before it, so two weeks show the deepest.
   */
  long keysNeeded() {
    return keysNeeded(isSustainable() ? 2 : 1);
  }

  /**
   * Returns the level of a store that is full at the start of the first week: at the start of each
   * hour, and at the end of the last one. Below 0, it is that many keys short.
   */
  double[] levels(long capacity, int weeks) {
    double[] levels = new double[weeks * Week.HOURS + 1];
    levels[0] = capacity;
    for (int hour = 0; hour < weeks * Week.HOURS; hour++) {
      levels[hour + 1] = Math.min(levels[0], levels[hour] - netDraw[hour % Week.HOURS]);
    }
    return levels;
  }
}
