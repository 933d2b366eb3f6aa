package org.keywell.service.settings;

/** {@code keywell.pool.when-empty}: what a request gets that finds the pool empty. */
public enum EmptyPoolPolicy {
  /** A key that is generated for it. */
  GENERATE,
  /** A refusal. */
  REFUSE
}
