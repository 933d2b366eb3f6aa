package org.keywell.keypool;

import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.keywell.keypool.hsm.KeySpec;

/**
 * How the pools work.
 *
 * @param mode which threads there are
 * @param limits the bounds of each pool; one for a kind of key at the most
 * @param generatorThreads threads that generate, at least 1
 * @param idleAfter how long no request must have been at hand before a key is generated; zero: none
 *     at this moment suffices
 * @param maxOrphans keys that may exist undestroyed before signing and generating stop, at least 1
 * @param recount how old the generator's count of the store may get
 */
public record PoolConfig(
    Mode mode,
    List<PoolLimits> limits,
    int generatorThreads,
    Duration idleAfter,
    int maxOrphans,
    Duration recount) {

  private static final Duration RECOUNT = Duration.ofSeconds(1);

  /** What the pools do by themselves. */
  public enum Mode {
    /** Keys are made ahead of time, and loaded. */
    POOLED,
    /** Keys are made and stored; none is loaded. */
    FILL,
    /** Nothing: a key is generated for each request, as in the thesis's traditional system. */
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
    Set<KeySpec> specs = new HashSet<>();
    for (PoolLimits limit : limits) {
      if (!specs.add(limit.spec())) {
        throw new IllegalArgumentException("there are two pools of " + limit.spec() + " keys");
      }
    }
  }

  /** As a service uses them, which counts the store once a second. */
  public PoolConfig(
      Mode mode,
      List<PoolLimits> limits,
      int generatorThreads,
      Duration idleAfter,
      int maxOrphans) {
    this(mode, limits, generatorThreads, idleAfter, maxOrphans, RECOUNT);
  }

  /** Stores keys of one kind up to that number, with every core, and does nothing else. */
  public static PoolConfig filling(KeySpec spec, int count, int maxOrphans) {
    return new PoolConfig(
        Mode.FILL,
        List.of(new PoolLimits(spec, count, 1, 1, 1)),
        Runtime.getRuntime().availableProcessors(),
        Duration.ZERO,
        maxOrphans);
  }

  /** The kinds of key that have a pool. */
  public List<KeySpec> specs() {
    return limits.stream().map(PoolLimits::spec).toList();
  }

  private static void require(boolean holds, String name, Object value, String expected) {
    if (!holds) {
      throw new IllegalArgumentException(name + " is " + value + ", expected " + expected);
    }
  }
}
