package org.keywell.settings;

/** {@code keywell.pool.when-empty}: what a request gets when the pool is empty. */
public enum EmptyPoolPolicy {
  /** A key generated for it. */
  GENERATE,
  /** A refusal. */
  REFUSE
}
