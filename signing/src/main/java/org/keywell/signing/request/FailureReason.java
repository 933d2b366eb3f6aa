package org.keywell.signing.request;

import java.util.Locale;

/**
 * Why an accepted request failed. Each entry point renders it in its own words; records and metrics
 * keep its {@link #label}, so constants are never renamed or removed.
 */
public enum FailureReason {
  POOL_EMPTY,
  ORPHAN_LIMIT,
  HSM_UNAVAILABLE,
  CA_UNAVAILABLE,
  /** The outcome could not be recorded, so nothing was released. */
  RECORD_UNAVAILABLE,
  /** The key is unfit for certification. */
  KEY_REFUSED,
  /** Another request's record names the key. */
  KEY_REUSED,
  /** The act's certificate was revoked before its digests arrived. */
  ACT_REVOKED,
  /** The service stopped while working on the request; set by the stop or by recovery. */
  INTERRUPTED,
  /** The signer's data was erased from the record since; never recorded as a failure. */
  ERASED,
  /** A defect. */
  INTERNAL;

  /** Returns the name in records and metrics, such as {@code pool-empty}. */
  public String label() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /**
   * Returns the reason with the given {@link #label}.
   *
   * @throws IllegalArgumentException if there is none
   */
  public static FailureReason ofLabel(String label) {
    return valueOf(label.toUpperCase(Locale.ROOT).replace('-', '_'));
  }
}
