package org.keywell.settings;

import static org.keywell.settings.Bounds.require;

import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.keywell.keypool.PoolConfig;
import org.keywell.keypool.PoolLimits;
import org.keywell.keypool.hsm.KeySpec;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * {@code keywell.pool.*}.
 *
 * @param mode pooled, or the traditional system
 * @param whenEmpty what a request gets when the pool is empty
 * @param generatorThreads threads that generate; one as in the thesis, at most 64
 * @param idleAfter how long nothing must have been signed before a key is generated
 * @param maxOrphans keys that may exist undestroyed before signing stops
 * @param failedProofs proofs that an HSM fails in a row before it is reopened, up to 1,000; 0:
 *     never
 * @param tokenMark whether each token that signs keeps a mark of how far keys were claimed
 * @param maxLiveKeys keys that each HSM has room for; 0: not stated and not checked
 * @param specs the limits of each kind of key; an unlisted kind has no pool
 */
public record PoolProperties(
    @DefaultValue("pooled") PoolMode mode,
    @DefaultValue("generate") EmptyPoolPolicy whenEmpty,
    @DefaultValue("1") int generatorThreads,
    @DefaultValue("200ms") Duration idleAfter,
    @DefaultValue("100") int maxOrphans,
    @DefaultValue("5") int failedProofs,
    @DefaultValue("true") boolean tokenMark,
    @DefaultValue("0") int maxLiveKeys,
    Map<String, Limits> specs) {

  /** {@code keywell.pool.specs.<spec>.*}; see {@link PoolLimits}. */
  public record Limits(
      @DefaultValue("10000") int maxStored,
      @DefaultValue("500") int loadedCapacity,
      @DefaultValue("250") int lowWater,
      @DefaultValue("100") int batchSize) {

    private PoolLimits of(KeySpec spec) {
      try {
        return new PoolLimits(spec, maxStored, loadedCapacity, lowWater, batchSize);
      } catch (IllegalArgumentException e) {
        throw new IllegalArgumentException("keywell.pool.specs: " + e.getMessage());
      }
    }
  }

  public PoolProperties {
    require("keywell.pool.generator-threads", generatorThreads, 1, 64);
    require(!idleAfter.isNegative(), "keywell.pool.idle-after", idleAfter, "0 or more");
    require(maxOrphans >= 1, "keywell.pool.max-orphans", maxOrphans, "1 or more");
    require("keywell.pool.failed-proofs", failedProofs, 0, 1000);
    require(maxLiveKeys >= 0, "keywell.pool.max-live-keys", maxLiveKeys, "0 or more");
    // Binding yields null if no spec is configured.
    specs =
        specs == null || specs.isEmpty()
            ? Map.of(KeySpec.RSA_2048.label(), new Limits(10_000, 500, 250, 100))
            : Map.copyOf(specs);
    limits(specs);
  }

  /** Returns the checked limits. */
  public List<PoolLimits> limits() {
    return limits(specs);
  }

  /** Returns how many threads generate keys for single requests: all generator threads, or none. */
  public int makerThreads() {
    return mode == PoolMode.POOLED && whenEmpty == EmptyPoolPolicy.GENERATE ? generatorThreads : 0;
  }

  /** Returns the configuration in the pools' form. */
  public PoolConfig config() {
    return new PoolConfig(
        mode.ofPools(), limits(), generatorThreads, idleAfter, maxOrphans, failedProofs);
  }

  private static List<PoolLimits> limits(Map<String, Limits> specs) {
    Map<KeySpec, PoolLimits> limits = new EnumMap<>(KeySpec.class);
    specs.forEach((name, limit) -> {
      PoolLimits checked = limit.of(spec("keywell.pool.specs", name));
      // Binding yields a kind twice, with equal limits, if a file and the environment spell it
      // differently.
      if (!checked.equals(limits.getOrDefault(checked.spec(), checked))) {
        throw new IllegalArgumentException(
            "keywell.pool.specs names " + checked.spec() + " twice, with different limits");
      }
      limits.put(checked.spec(), checked);
    });
    return List.copyOf(limits.values());
  }

  /** Environment variables cannot express a label's dash and case, so both are ignored. */
  static KeySpec spec(String setting, String name) {
    return Stream.of(KeySpec.values())
        .filter(spec -> plain(spec.label()).equals(plain(name)))
        .findFirst()
        .orElseThrow(() ->
            new IllegalArgumentException(
                setting
                    + " has the unknown key spec '"
                    + name
                    + "'; known: "
                    + Stream.of(KeySpec.values()).map(KeySpec::label).toList()));
  }

  private static String plain(String name) {
    return name.replaceAll("[^A-Za-z0-9]", "").toUpperCase(Locale.ROOT);
  }
}
