package org.keywell.rest.rehearsal;

import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.keywell.keypool.KeyPools;
import org.keywell.keypool.hsm.KeySpec;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.ApplicationArguments;
import org.springframework.boot.ApplicationRunner;

/**
 * Rehearses signing before the service is ready, so that the JVM has compiled its code when the
 * first requests arrive. Spring Boot reports readiness after this returns: within the limit, even
 * if a call hangs, and at once when the process is asked to stop. A failure ends the rehearsal,
 * never the start.
 *
 * <p>It takes no key from the pool and no place in the queue. For each kind of key with a pool that
 * signs digests, a device generates one key, which signs random digests and is destroyed; {@link
 * Rehearsal} continues with these signatures.
 */
final class WarmUp implements ApplicationRunner {

  private static final Logger log = LoggerFactory.getLogger(WarmUp.class);

  /** How soon it notices that the process is asked to stop. */
  private static final Duration LOOK_UP = Duration.ofMillis(20);

  private final Duration limit;
  private final KeyPools pools;
  private final Supplier<Optional<String>> obstacle;
  private final Supplier<Rehearsal> rehearsals;
  private final BooleanSupplier stopping;
  private final LongSupplier nanoClock;
  private final AtomicInteger rehearsed = new AtomicInteger();
  private volatile boolean over;
  private volatile @Nullable String failure;

  /**
   * @param limit zero: nothing is rehearsed
   * @param obstacle why nothing can be signed now; must not block
   * @param rehearsals creates the one that is used
   * @param stopping whether the process is asked to stop; must not block
   */
  WarmUp(
      Duration limit,
      KeyPools pools,
      Supplier<Optional<String>> obstacle,
      Supplier<Rehearsal> rehearsals,
      BooleanSupplier stopping,
      LongSupplier nanoClock) {
    this.limit = limit;
    this.pools = pools;
    this.obstacle = obstacle;
    this.rehearsals = rehearsals;
    this.stopping = stopping;
    this.nanoClock = nanoClock;
  }

  @Override
  public void run(ApplicationArguments arguments) throws InterruptedException {
    rehearse();
  }

  /** Returns how many requests were rehearsed. Any thread may ask. */
  int rehearsed() {
    return rehearsed.get();
  }

  /** Rehearses until the time is up at the latest. */
  void rehearse() throws InterruptedException {
    if (limit.isZero()) {
      return;
    }
    long began = nanoClock.getAsLong();
    // A call to the device cannot be interrupted: one that hangs is abandoned.
    Thread thread = Thread.ofPlatform().daemon().name("keywell-warm-up").start(this::work);
    long left = limit.toNanos();
    while (left > 0 && !stopping.getAsBoolean() && thread.isAlive()) {
      var _ = thread.join(Duration.ofNanos(Math.min(left, LOOK_UP.toNanos())));
      left = limit.toNanos() - (nanoClock.getAsLong() - began);
    }
    over = true;
    tell(Duration.ofNanos(nanoClock.getAsLong() - began));
  }

  private void tell(Duration time) {
    String why = failure;
    if (why == null) {
      log.info("warmed up: {} requests rehearsed in {} ms", rehearsed, time.toMillis());
    } else {
      log.warn(
          "warm-up ended early, after {} requests in {} ms: {}", rehearsed, time.toMillis(), why);
    }
  }

  private void work() {
    try {
      Optional<String> closed = obstacle.get();
      if (closed.isPresent()) {
        failure = closed.get();
        return;
      }
      SecureRandom random = new SecureRandom();
      List<KeySpec> kinds =
          pools.config().specs().stream()
              .filter(spec -> !spec.defaultScheme().signsMessages())
              .toList();
      Rehearsal rehearsal = rehearsals.get();
      ThrowAwayKey[] keys = new ThrowAwayKey[kinds.size()];
      for (int turn = 0; !over && keys.length > 0; turn++) {
        int kind = turn % keys.length;
        if (turn < keys.length) {
          keys[kind] = ThrowAwayKey.use(pools, kinds.get(kind), random);
        }
        rehearsal.turn(keys[kind]);
        rehearsed.addAndGet(Rehearsal.TURN);
      }
    } catch (RuntimeException e) {
      failure = e.toString();
    }
  }
}
