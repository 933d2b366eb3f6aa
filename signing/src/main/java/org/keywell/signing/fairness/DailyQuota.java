package org.keywell.signing.fairness;

import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.keywell.keypool.worker.Worker;
import org.keywell.signing.caller.Caller;
import org.keywell.signing.database.DatabaseException;
import org.keywell.signing.database.QuotaReservations;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Limits how many requests of each caller all instances together admit per day (UTC). An instance
 * admits what it has reserved in the database: a block of up to 1/100 of the quota, at least one
 * request. A separate thread refills it when half is used. A request waits for that thread only if
 * nothing is left, as a day's first does. A crash loses what was reserved and not used; an orderly
 * stop gives it back.
 *
 * <p>Thread-safe.
 */
public final class DailyQuota {

  private static final Logger log = LoggerFactory.getLogger(DailyQuota.class);

  /** How long a request waits for a reservation; few take longer than milliseconds. */
  private static final Duration PATIENCE = Duration.ofSeconds(1);

  /** How long a quota counts as used up: an instance that stops gives back. */
  private static final Duration USED_COUNTS = Duration.ofSeconds(10);

  private static final Duration UNTIL_WOKEN = Duration.ofMinutes(1);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(2);

  /** How long rows are kept: clocks of instances differ. */
  private static final int DAYS_KEPT = 2;

  private final QuotaReservations reservations;
  private final InstantSource clock;
  private final Duration patience;
  private final ConcurrentMap<String, DayAllowance> allowances = new ConcurrentHashMap<>();

  /** At most one for each caller and day. */
  private final Set<DayAllowance> wanting = ConcurrentHashMap.newKeySet();

  private final Worker worker = new Worker("keywell-quotas", this::reserveAll, LONGEST_PAUSE);
  private volatile boolean failing;
  private LocalDate keptFrom = LocalDate.MIN;

  public DailyQuota(QuotaReservations reservations, InstantSource clock) {
    this(reservations, clock, PATIENCE);
  }

  DailyQuota(QuotaReservations reservations, InstantSource clock, Duration patience) {
    this.reservations = reservations;
    this.clock = clock;
    this.patience = patience;
  }

  public void start() {
    worker.start();
  }

  /**
   * Stops the thread and gives back what is left, if possible.
   *
   * @param limit how long to wait for a reservation in progress
   */
  public void end(Duration limit) {
    worker.stop();
    if (!worker.join(limit)) {
      return;
    }
    try {
      for (DayAllowance allowance : allowances.values()) {
        long unused = allowance.takeAll();
        if (unused > 0) {
          reservations.release(allowance.caller(), allowance.day(), unused);
        }
      }
    } catch (SQLException e) {
      log.warn("what is left of callers' quotas is not given back: {}", e.getMessage());
    }
  }

  /** Takes one request from the caller's quota. */
  public QuotaDecision take(Caller caller) {
    long quota = caller.limits().dailyQuota();
    if (quota == 0) {
      return QuotaDecision.Unlimited.INSTANCE;
    }
    Instant now = clock.instant();
    DayAllowance allowance = allowance(caller.name(), today(now), quota);
    boolean taken = allowance.take();
    if (!taken && !allowance.isUsed(now)) {
      taken = takeOfNext(allowance, now);
    } else if (allowance.isLow() && !allowance.isUsed(now)) {
      @Nullable CompletableFuture<Void> _ = want(allowance);
    }
    if (taken) {
      return allowance;
    }
    return allowance.isUsed(now)
        ? new QuotaDecision.Used(Duration.between(now, startOf(today(now).plusDays(1))))
        : QuotaDecision.Unknown.INSTANCE;
  }

  private DayAllowance allowance(String caller, LocalDate today, long quota) {
    @Nullable DayAllowance known = allowances.get(caller);
    if (known != null && known.isOf(today, quota)) {
      return known;
    }
    // Rare. Forgets callers without a request today, including those that no longer exist.
    allowances.values().removeIf(other -> other.isBefore(today));
    // If the quota has changed, the reservation is lost, as in a crash.
    return allowances.compute(
        caller,
        (_, other) ->
            other != null && other.isOf(today, quota)
                ? other
                : new DayAllowance(caller, today, quota));
  }

  /**
   * Waits for a reservation, unless the database is known to fail; and for the next one if others
   * have used it up by then.
   */
  private boolean takeOfNext(DayAllowance allowance, Instant now) {
    long giveUpNanos = System.nanoTime() + patience.toNanos();
    boolean ended = true;
    while (ended && !failing && !allowance.isUsed(now)) {
      @Nullable CompletableFuture<Void> refill = want(allowance);
      ended = refill == null || endsBy(giveUpNanos, refill);
      if (allowance.take()) {
        return true;
      }
    }
    return allowance.take();
  }

  private boolean endsBy(long nanos, CompletableFuture<Void> refill) {
    try {
      refill.get(nanos - System.nanoTime(), TimeUnit.NANOSECONDS);
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    } catch (TimeoutException e) {
      log.debug("a reservation takes longer than {} ms", patience.toMillis());
      return false;
    } catch (ExecutionException e) {
      throw new IllegalStateException(e);
    }
  }

  private @Nullable CompletableFuture<Void> want(DayAllowance allowance) {
    if (allowance.beginRefill()) {
      wanting.add(allowance);
      if (!failing) {
        worker.wake();
      }
    }
    return allowance.refill();
  }

  /** Does one round of the thread: makes all pending reservations. */
  Duration reserveAll() {
    LocalDate today = today(clock.instant());
    try {
      for (DayAllowance allowance : wanting) {
        if (!allowance.isBefore(today)) {
          reserve(allowance);
        }
        done(allowance);
      }
      if (!today.equals(keptFrom)) {
        reservations.forgetBefore(today.minusDays(DAYS_KEPT));
        keptFrom = today;
      }
      failing = false;
    } catch (SQLException e) {
      failing = true;
      // Ends all waits; the next request asks for a refill again.
      wanting.forEach(this::done);
      throw new DatabaseException("no quota can be reserved: " + e.getMessage(), e);
    }
    return UNTIL_WOKEN;
  }

  private void reserve(DayAllowance allowance) throws SQLException {
    long wanted = allowance.missing();
    if (wanted == 0) {
      return;
    }
    long granted =
        reservations.reserve(allowance.caller(), allowance.day(), allowance.quota(), wanted);
    allowance.add(granted);
    if (granted < wanted) {
      allowance.markUsed(clock.instant().plus(USED_COUNTS));
    }
  }

  private void done(DayAllowance allowance) {
    wanting.remove(allowance);
    allowance.endRefill();
  }

  private static LocalDate today(Instant now) {
    return LocalDate.ofInstant(now, ZoneOffset.UTC);
  }

  private static Instant startOf(LocalDate day) {
    return day.atStartOfDay(ZoneOffset.UTC).toInstant();
  }

  /** Returns how many callers are remembered. */
  int remembered() {
    return allowances.size();
  }
}
