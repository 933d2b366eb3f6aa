package org.keywell.bench.suite;

import org.jspecify.annotations.Nullable;

/**
 * What a figure is held against.
 *
 * @param target where it is good; null if it is not held against anything
 * @param stretch where it is as good as it can be expected to get; null without a target
 */
public record Goal(@Nullable Double target, @Nullable Double stretch) {
  public static final Goal NONE = new Goal(null, null);

  public static Goal of(double target, double stretch) {
    return new Goal(target, stretch);
  }

  /** The stretch tells which way is better. */
  public boolean isMetBy(double value) {
    return target == null
        || stretch == null
        || (stretch >= target ? value >= target : value <= target);
  }
}
