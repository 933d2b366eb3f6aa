package org.keywell.signing.sign;

/** Why a valid request can be refused before anything is recorded. */
public enum AdmissionLimit {
  /** {@code keywell.sign.queue-limit} is reached. */
  QUEUE_LIMIT,
  /** The caller's share of the queue is full. */
  QUEUE_SHARE,
  /** The caller exceeds its rate. */
  RATE_LIMIT,
  /** The caller's daily quota is used up. */
  QUOTA_USED,
  /** {@code keywell.acts.max-open} is reached. */
  ACT_LIMIT,
  /** The caller's share of open acts is full. */
  ACT_SHARE,
  /** The predicted wait exceeds the request's deadline. */
  DEADLINE,
  /** The service is shutting down. */
  SHUTDOWN,
  /** This instance's lock in the database is lost. */
  INSTANCE_LOCK,
  /** Nothing can be recorded at present: the database is away. */
  RECORDS,
  /** The device is known to fail. */
  HSM,
  /** No key of this kind is loaded, and the device has no room for another. */
  HSM_FULL,
  /** The CA is known to fail, or its certificates are not valid. */
  CA,
  /** This machine's clock and PostgreSQL's disagree. */
  CLOCK
}
