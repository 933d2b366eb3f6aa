package org.keywell.service.sign;

/** What an admissible request can be refused for, before anything is recorded. */
public enum AdmissionLimit {
  /** {@code keywell.sign.queue-limit} is reached. */
  QUEUE_LIMIT,
  /** The caller's share of the queue is full. */
  QUEUE_SHARE,
  /** The caller asks faster than it may. */
  RATE_LIMIT,
  /** The caller's quota of the day is used. */
  QUOTA_USED,
  /** {@code keywell.acts.max-open} is reached. */
  ACT_LIMIT,
  /** The caller has as many open acts as it may. */
  ACT_SHARE,
  /** The predicted wait is beyond the request's deadline. */
  DEADLINE,
  /** The service is shutting down. */
  SHUTDOWN,
  /** This instance's lock in the database is lost. */
  INSTANCE_LOCK,
  /** Nothing can be recorded at present: the database is away. */
  RECORDS,
  /** The device is known to fail. */
  HSM,
  /** No key of this kind is loaded, and the device has no room for another one. */
  HSM_FULL,
  /** The CA is known to fail, or its certificates are not valid. */
  CA
}
