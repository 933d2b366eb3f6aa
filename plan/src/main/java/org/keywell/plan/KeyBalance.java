package org.keywell.plan;

import java.util.Arrays;
import java.util.function.IntToDoubleFunction;

/**
 * A store of keys over a week that repeats itself: each hour draws keys and puts keys in, both
 * evenly, and what does not fit is not made. Exact for rates that change by the hour only: a level
 * that rises or falls evenly has its extremes at the hour's ends. Immutable.
 */
final class KeyBalance {
  /** Less than this is the arithmetic's rounding, in sums of up to 10¹⁰ keys. */
  private static final double ROUNDING_KEYS = 1e-3;

  private final double[] netDraw = new double[Week.HOURS];

  private KeyBalance(IntToDoubleFunction netDrawPerSecond) {
    Arrays.setAll(netDraw, hour -> netDrawPerSecond.applyAsDouble(hour) * Week.SECONDS_PER_HOUR);
  }

  /** The pool's stored keys: requests draw them, idle lanes make them. */
  static KeyBalance ofStoredKeys(Week week, Fleet fleet) {
    return new KeyBalance(hour -> {
      double requests = week.ratePerSecond(hour);
      return requests - fleet.generatedPerSecond(requests);
    });
  }

  /** The keys in the HSMs' memory: requests draw them, loading brings them. */
  static KeyBalance ofLoadedKeys(Week week, double loadedPerSecond) {
    return new KeyBalance(hour -> week.ratePerSecond(hour) - loadedPerSecond);
  }

  /** Whether a week puts in at least what it draws, so that a store of some size lasts for ever. */
  boolean isSustainable() {
    return Arrays.stream(netDraw).sum() <= ROUNDING_KEYS;
  }

  /** The fewest keys that a store must hold to never be empty, full when the weeks begin. */
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
   * Keys needed to last: for ever if that is possible, otherwise for one week. A drawdown that ends
   * after the week's turn begins before it, so two weeks show the deepest.
   */
  long keysNeeded() {
    return keysNeeded(isSustainable() ? 2 : 1);
  }

  /** Whether a store of this size, full when the weeks begin, is ever asked for a key in vain. */
  boolean runsDry(long capacity, int weeks) {
    return Arrays.stream(levels(capacity, weeks)).min().orElseThrow() < -ROUNDING_KEYS;
  }

  /**
   * How many keys a store holds that is full when the first week begins: at the begin of each hour,
   * and at the end of the last one. Below 0 it is as many short.
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
