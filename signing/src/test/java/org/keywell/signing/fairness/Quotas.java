package org.keywell.signing.fairness;

import java.sql.SQLException;
import java.time.Instant;
import java.time.InstantSource;
import java.time.LocalDate;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.keywell.signing.database.QuotaReservations;

/** Daily quotas for tests that are about something else. */
public final class Quotas {

  private Quotas() {}

  /** Of a service whose callers have none. */
  public static DailyQuota none() {
    return new DailyQuota(
        new QuotaReservations() {
          @Override
          public long reserve(String caller, LocalDate day, long quota, long wanted)
              throws SQLException {
            throw new SQLException("no caller has a quota");
          }

          @Override
          public void release(String caller, LocalDate day, long unused) {}

          @Override
          public void forgetBefore(LocalDate day) {}
        },
        InstantSource.system());
  }

  /** Of one instance, at this moment; its thread is a daemon and is left to the process. */
  public static DailyQuota at(Instant now) {
    DailyQuota quota =
        new DailyQuota(
            new QuotaReservations() {
              private final ConcurrentMap<String, Long> reserved = new ConcurrentHashMap<>();

              @Override
              public long reserve(String caller, LocalDate day, long quota, long wanted) {
                long granted = Math.min(wanted, quota - reserved.getOrDefault(caller, 0L));
                reserved.merge(caller, granted, Long::sum);
                return granted;
              }

              @Override
              public void release(String caller, LocalDate day, long unused) {}

              @Override
              public void forgetBefore(LocalDate day) {}
            },
            InstantSource.fixed(now));
    quota.start();
    return quota;
  }
}
