package org.keywell.signing.fairness;

import java.time.Instant;
import java.time.LocalDate;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * What this instance has reserved of a caller's quota for a day and not used. Thread-safe.
 *
 * <p>It is itself the grant: units given back after midnight go to the day they were taken from, so
 * nobody gets them.
 */
final class DayAllowance implements QuotaDecision.Granted {

  /** A block is at most this fraction of a quota, or one request; a crash loses that much. */
  private static final int BLOCKS = 100;

  private static final long LARGEST_BLOCK = 1_000;

  private final String caller;
  private final LocalDate day;
  private final long quota;
  private final AtomicLong left = new AtomicLong();
  private volatile Instant usedUntil = Instant.MIN;

  // Guarded by this.
  private @Nullable CompletableFuture<Void> refill;

  DayAllowance(String caller, LocalDate day, long quota) {
    this.caller = caller;
    this.day = day;
    this.quota = quota;
  }

  boolean isOf(LocalDate today, long quotaNow) {
    return day.equals(today) && quota == quotaNow;
  }

  boolean isBefore(LocalDate today) {
    return day.isBefore(today);
  }

  String caller() {
    return caller;
  }

  LocalDate day() {
    return day;
  }

  long quota() {
    return quota;
  }

  /** Takes one if any is left. Returns whether it did. */
  boolean take() {
    long before = left.getAndUpdate(now -> now > 0 ? now - 1 : 0);
    return before > 0;
  }

  @Override
  public void giveBack() {
    left.incrementAndGet();
  }

  /** Returns how much an instance keeps on hand. */
  long block() {
    return Math.clamp(quota / BLOCKS, 1, LARGEST_BLOCK);
  }

  /** Whether more should be reserved now, before it is needed. */
  boolean isLow() {
    return left.get() <= block() / 2;
  }

  /** Returns how much is missing from a block. */
  long missing() {
    return Math.max(0, block() - left.get());
  }

  void add(long reserved) {
    left.addAndGet(reserved);
  }

  /** Takes all that is left. */
  long takeAll() {
    return left.getAndSet(0);
  }

  /** Notes that the database has none left; an instance that stops may give some back. */
  void markUsed(Instant until) {
    usedUntil = until;
  }

  boolean isUsed(Instant now) {
    return now.isBefore(usedUntil);
  }

  /** Returns the refill in progress, which completes without a value even on failure; or null. */
  synchronized @Nullable CompletableFuture<Void> refill() {
    return refill;
  }

  /** Starts a refill. Returns false if one is in progress. */
  synchronized boolean beginRefill() {
    if (refill != null) {
      return false;
    }
    refill = new CompletableFuture<>();
    return true;
  }

  synchronized void endRefill() {
    if (refill != null) {
      refill.complete(null);
      refill = null;
    }
  }
}
