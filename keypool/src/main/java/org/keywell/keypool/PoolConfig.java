package org.keywell.keypool;

import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.keywell.keypool.hsm.Hsm;
import org.keywell.keypool.hsm.KeySpec;

/**
 * The pools' configuration.
 *
 * @param mode which threads there are
 * @param limits the bounds of each pool; at most one for each kind of key
 * @param generatorThreads threads that generate, at least 1
 * @param idleAfter how long no request must have been in progress before a key is generated; zero:
 *     none now suffices
 * @param maxOrphans keys that may exist undestroyed before signing and generating stop, at least 1
 * @param failedProofs proofs that a device fails in a row before it is reopened; 0: never
 * @param recount the maximum age of the generator's count of the store
 */
public record PoolConfig(
    Mode mode,
    List<PoolLimits> limits,
    int generatorThreads,
    Duration idleAfter,
    int maxOrphans,
    int failedProofs,
    Duration recount) {

  private static final Duration RECOUNT = Duration.ofSeconds(1);

  private static final int FAILED_PROOFS = 5;

  /** The background work of the pools. */
  public enum Mode {
    /** Keys are generated ahead of time and loaded. */
    POOLED,
    /** Keys are generated and stored; none is loaded. */
    FILL,
    /** None: a key is generated for each request, as in the thesis's traditional system. */
    ON_THE_FLY
  }

  /**
   * @throws IllegalArgumentException if a bound is out of its range; the message names it
   */
  public PoolConfig {
    limits = List.copyOf(limits);
    require(generatorThreads >= 1, "generator-threads", generatorThreads, "at least 1");
    require(!idleAfter.isNegative(), "idle-after", idleAfter, "0 or more");
    require(maxOrphans >= 1, "max-orphans", maxOrphans, "at least 1");
    require(failedProofs >= 0, "failed-proofs", failedProofs, "0 or more");
    Set<KeySpec> specs = new HashSet<>();
    for (PoolLimits limit : limits) {
      if (!specs.add(limit.spec())) {
        throw new IllegalArgumentException("there are two pools of " + limit.spec() + " keys");
      }
    }
  }

  /** Creates a service's configuration: the store is counted once a second. */
  public PoolConfig(
      Mode mode,
      List<PoolLimits> limits,
      int generatorThreads,
      Duration idleAfter,
      int maxOrphans) {
    this(mode, limits, generatorThreads, idleAfter, maxOrphans, FAILED_PROOFS);
  }

  /** As {@link #PoolConfig(Mode, List, int, Duration, int)}, with a number of failed proofs. */
  public PoolConfig(
      Mode mode,
      List<PoolLimits> limits,
      int generatorThreads,
      Duration idleAfter,
      int maxOrphans,
      int failedProofs) {
    this(mode, limits, generatorThreads, idleAfter, maxOrphans, failedProofs, RECOUNT);
  }

  /** As {@link #PoolConfig(Mode, List, int, Duration, int)}, with another age of the count. */
  public PoolConfig(
      Mode mode,
      List<PoolLimits> limits,
      int generatorThreads,
      Duration idleAfter,
      int maxOrphans,
      Duration recount) {
    this(mode, limits, generatorThreads, idleAfter, maxOrphans, FAILED_PROOFS, recount);
  }

  /** Returns the configuration for only storing up to {@code count} keys, using every core. */
  public static PoolConfig filling(KeySpec spec, int count, int maxOrphans) {
    return new PoolConfig(
        Mode.FILL,
        List.of(new PoolLimits(spec, count, 1, 1, 1)),
        Runtime.getRuntime().availableProcessors(),
        Duration.ZERO,
        maxOrphans);
  }

  /** Returns the kinds of key that have a pool. */
  public List<KeySpec> specs() {
    return limits.stream().map(PoolLimits::spec).toList();
  }

  private static void require(boolean holds, String name, Object value, String expected) {
    if (!holds) {
      throw new IllegalArgumentException(name + " is " + value + ", expected " + expected);
    }
  }

  /**
   * Returns what a device lacks for these kinds of keys; empty if nothing. Has a throw-away key
   * wrapped of each kind that is stored and that some modules make but do not wrap.
   *
   * @throws org.keywell.keypool.hsm.HsmException if the device fails
   */
  public Optional<String> lacking(Hsm hsm) {
    return OfferedKinds.lacking(this, hsm);
  }
}
