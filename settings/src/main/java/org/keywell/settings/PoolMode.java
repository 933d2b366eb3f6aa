package org.keywell.settings;

import java.util.Locale;
import org.keywell.keypool.PoolConfig;

/** {@code keywell.pool.mode}. */
public enum PoolMode {
  /** Keys are generated ahead of time. */
  POOLED,
  /** A key is generated for each request: the thesis's traditional system, for comparison. */
  ON_THE_FLY;

  PoolConfig.Mode ofPools() {
    return switch (this) {
      case POOLED -> PoolConfig.Mode.POOLED;
      case ON_THE_FLY -> PoolConfig.Mode.ON_THE_FLY;
    };
  }

  /** Returns the name in configuration and records, such as {@code on-the-fly}. */
  public String label() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
