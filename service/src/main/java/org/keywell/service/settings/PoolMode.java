package org.keywell.service.settings;

import java.util.Locale;

/** {@code keywell.pool.mode}. */
public enum PoolMode {
  /** Keys are made ahead of time. */
  POOLED,
  /** A key is generated for each request: the thesis's traditional system, for comparison. */
  ON_THE_FLY;

  /** The name in configuration and records, such as {@code on-the-fly}. */
  public String label() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
