package org.keywell.service.request;

import java.util.Locale;

/**
 * Why a request that was accepted failed. Each way in renders it in its own words; records and
 * metrics keep its {@link #label}, so a constant is never renamed or removed.
 */
public enum FailureReason {
  POOL_EMPTY,
  ORPHAN_LIMIT,
  HSM_UNAVAILABLE,
  CA_UNAVAILABLE,
  /** The outcome could not be put on record, so nothing was released. */
  RECORD_UNAVAILABLE,
  /** The key is not fit to be certified. */
  KEY_REFUSED,
  /** Another request's record names the key. */
  KEY_REUSED,
  /** The service stopped while it worked on the request; set by the next start. */
  INTERRUPTED,
  /** A defect. */
  INTERNAL;

  /** The name in records and in metrics, such as {@code pool-empty}. */
  public String label() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /**
   * The reason of the given {@link #label}.
   *
   * @throws IllegalArgumentException if there is none
   */
  public static FailureReason ofLabel(String label) {
    return valueOf(label.toUpperCase(Locale.ROOT).replace('-', '_'));
  }
}
