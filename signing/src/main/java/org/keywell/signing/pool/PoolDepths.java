package org.keywell.signing.pool;

import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import org.keywell.keypool.KeyPools;
import org.keywell.keypool.PoolConfig;
import org.keywell.keypool.PoolLimits;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.keypool.worker.Worker;

/**
 * Provides the pools' depths without a count per query: a separate thread counts the store once a
 * second, or less often if that takes long, so that counting takes at most a fiftieth of the time.
 *
 * <p>Thread-safe.
 */
public final class PoolDepths implements AutoCloseable {

  private static final Duration EVERY = Duration.ofSeconds(1);
  private static final int REST_FACTOR = 50;

  private final KeyPools pools;
  private final LongSupplier nanoClock;
  private final Map<KeySpec, DepthTrend> trends = new EnumMap<>(KeySpec.class);
  private final Map<KeySpec, Depth> depths = new ConcurrentHashMap<>();
  private final Worker worker;

  public PoolDepths(KeyPools pools, LongSupplier nanoClock) {
    this.pools = pools;
    this.nanoClock = nanoClock;
    pools.config().specs().forEach(spec -> trends.put(spec, new DepthTrend()));
    this.worker = new Worker("keywell-depths", this::sample);
  }

  /** Counts once, so that depths are available at once, and starts the thread. */
  public void start() {
    sample();
    worker.start();
  }

  @Override
  public void close() {
    end(Worker.LONGEST_JOIN);
  }

  /** As {@link #close}. Returns whether the thread ended in time. */
  public boolean end(Duration limit) {
    worker.stop();
    return worker.join(limit);
  }

  /** Returns the depth at the last count; empty before the first, and while the store fails. */
  public Optional<Depth> of(KeySpec spec) {
    return Optional.ofNullable(depths.get(spec));
  }

  /** Counts once; the thread repeats this. Returns how long to pause before the next count. */
  public Duration sample() {
    long began = nanoClock.getAsLong();
    boolean counted = false;
    try {
      pools.config().limits().forEach(this::sample);
      counted = true;
    } finally {
      if (!counted) {
        depths.clear();
      }
    }
    Duration rest = Duration.ofNanos(nanoClock.getAsLong() - began).multipliedBy(REST_FACTOR);
    return rest.compareTo(EVERY) > 0 ? rest : EVERY;
  }

  private void sample(PoolLimits limit) {
    KeySpec spec = limit.spec();
    DepthTrend trend = trends.get(spec);
    if (trend == null) {
      return;
    }
    KeyPools.Count keys = pools.count(spec);
    trend.add(nanoClock.getAsLong(), keys.all());
    // If requests take no keys from the pools, these never run dry.
    boolean pooled = pools.config().mode() == PoolConfig.Mode.POOLED;
    double drain = pooled ? trend.drainPerSecond() : 0;
    double fill = pooled ? trend.fillPerSecond() : 0;
    depths.put(
        spec,
        new Depth(
            keys.stored(),
            seconds(keys.all(), drain, pooled),
            seconds(limit.maxStored() - keys.stored(), fill, true)));
  }

  private static double seconds(long keys, double perSecond, boolean zeroIfNone) {
    if (keys <= 0 && zeroIfNone) {
      return 0;
    }
    return perSecond == 0 ? Double.POSITIVE_INFINITY : keys / perSecond;
  }
}
