package org.keywell.service.pool;

import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import org.keywell.keypool.KeyLoader;
import org.keywell.keypool.PoolLimits;
import org.keywell.keypool.Shelves;
import org.keywell.keypool.Worker;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.keypool.store.WrappedKeyStore;

/**
 * Knows how deep the pools are, without a count for each who asks: a thread of its own counts the
 * store once a second, or less often if that takes long, so that counting takes a fiftieth of the
 * time at the most.
 *
 * <p>Thread-safe.
 */
public final class PoolDepths implements AutoCloseable {

  private static final Duration EVERY = Duration.ofSeconds(1);
  private static final int REST_FACTOR = 50;

  /** A claim between the looks at the two tiers would hide its keys from both. */
  private static final int MAX_LOOKS = 3;

  private final WrappedKeyStore store;
  private final Shelves pool;
  private final KeyLoader loader;
  private final List<PoolLimits> limits;
  private final boolean pooled;
  private final LongSupplier nanoClock;
  private final Map<KeySpec, DepthTrend> trends = new EnumMap<>(KeySpec.class);
  private final Map<KeySpec, Depth> depths = new ConcurrentHashMap<>();
  private final Worker worker;

  /**
   * @param pooled whether requests take keys from the pools; if not, they never run dry
   */
  public PoolDepths(
      WrappedKeyStore store,
      Shelves pool,
      KeyLoader loader,
      List<PoolLimits> limits,
      boolean pooled,
      LongSupplier nanoClock) {
    this.store = store;
    this.pool = pool;
    this.loader = loader;
    this.limits = List.copyOf(limits);
    this.pooled = pooled;
    this.nanoClock = nanoClock;
    limits.forEach(limit -> trends.put(limit.spec(), new DepthTrend()));
    this.worker = new Worker("keywell-depths", this::sample);
  }

  /** Counts once, so that there is an answer from the beginning, and starts the thread. */
  public void start() {
    sample();
    worker.start();
  }

  @Override
  public void close() {
    worker.stop();
    worker.join();
  }

  /** The depth as of the last count; empty before the first, and while the store fails. */
  public Optional<Depth> of(KeySpec spec) {
    return Optional.ofNullable(depths.get(spec));
  }

  /** Counts once, as the thread does again and again. Returns how long to pause before the next. */
  public Duration sample() {
    long began = nanoClock.getAsLong();
    boolean counted = false;
    try {
      limits.forEach(this::sample);
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
    long stored = 0;
    int inside = 0;
    long claims = -1;
    for (int look = 0; look < MAX_LOOKS && claims != loader.claims(); look++) {
      claims = loader.claims();
      inside = loader.inTransit(spec) + pool.loaded(spec);
      stored = store.count(spec);
    }
    long all = stored + inside;
    trend.add(nanoClock.getAsLong(), all);
    double drain = pooled ? trend.drainPerSecond() : 0;
    double fill = pooled ? trend.fillPerSecond() : 0;
    depths.put(
        spec,
        new Depth(
            stored, seconds(all, drain, pooled), seconds(limit.maxStored() - stored, fill, true)));
  }

  private static double seconds(long keys, double perSecond, boolean zeroIfNone) {
    if (keys <= 0 && zeroIfNone) {
      return 0;
    }
    return perSecond == 0 ? Double.POSITIVE_INFINITY : keys / perSecond;
  }
}
