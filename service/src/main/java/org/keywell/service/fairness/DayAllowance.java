package org.keywell.service.fairness;

import java.time.Instant;
import java.time.LocalDate;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * What this instance has reserved of a caller's quota of a day, and not used. Thread-safe.
 *
 * <p>It is its own proof of a grant: what is given back after midnight goes to the day that it was
 * taken from, and to nobody.
 */
final class DayAllowance implements QuotaDecision.Granted {

  /** Of a quota, one block at an instance is at most this part, and so much is lost in a crash. */
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

  /** Takes one of what is left. Returns whether there was one. */
  boolean take() {
    long before = left.getAndUpdate(now -> now > 0 ? now - 1 : 0);
    return before > 0;
  }

  @Override
  public void giveBack() {
    left.incrementAndGet();
  }

  /** How much an instance keeps at hand. */
  long block() {
    return Math.clamp(quota / BLOCKS, 1, LARGEST_BLOCK);
  }

  /** Whether more should be reserved now, to be there when it is needed. */
  boolean isLow() {
    return left.get() <= block() / 2;
  }

  /** How much is missing to a block. */
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

  /** The database has said that nothing is left, which may change: an instance that stops. */
  void markUsed(Instant until) {
    usedUntil = until;
  }

  boolean isUsed(Instant now) {
    return now.isBefore(usedUntil);
  }

  /** The refill under way, which ends without a value whatever comes of it; null if none is. */
  synchronized @Nullable CompletableFuture<Void> refill() {
    return refill;
  }

  /** Notes that a refill is under way. Returns false if one is. */
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
