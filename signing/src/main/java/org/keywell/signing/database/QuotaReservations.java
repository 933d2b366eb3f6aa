package org.keywell.signing.database;

import java.sql.SQLException;
import java.time.LocalDate;

/** What all instances have reserved of callers' daily quotas. Thread-safe. */
public interface QuotaReservations {

  /**
   * Reserves up to {@code wanted} requests without exceeding the quota.
   *
   * @return how many, durable; 0 if the quota is fully reserved
   */
  long reserve(String caller, LocalDate day, long quota, long wanted) throws SQLException;

  /** Gives back what was reserved and not used. */
  void release(String caller, LocalDate day, long unused) throws SQLException;

  /** Forgets all earlier days. */
  void forgetBefore(LocalDate day) throws SQLException;
}
