package org.keywell.bench.suite;

import com.fasterxml.jackson.annotation.JsonIgnore;
import org.jspecify.annotations.Nullable;

/**
 * What a figure is compared with.
 *
 * @param target value that counts as good; null if there is none
 * @param stretch the best that can be expected; null without a target
 */
public record Goal(@Nullable Double target, @Nullable Double stretch) {
  public static final Goal NONE = new Goal(null, null);

  public static Goal of(double target, double stretch) {
    return new Goal(target, stretch);
  }

  /** Whether the value meets the target, if any; the stretch shows which way is better. */
  public boolean isMetBy(double value) {
    return target == null || stretch == null || (isUpwards() ? value >= target : value <= target);
  }

  /** Whether more is better. */
  @JsonIgnore
  boolean isUpwards() {
    return target != null && stretch != null && stretch >= target;
  }
}
