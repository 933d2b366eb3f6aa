package org.keywell.loadgen.watch;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.keywell.client.KeywellClient;
import org.keywell.client.PoolStatus;

/** Polls the service for its queue and its pool, once per interval, until it is closed. */
public final class PoolWatch implements AutoCloseable {
  private static final int MAX_POINTS = 100_000;

  private final KeywellClient client;
  private final String keySpec;
  private final LongSupplier elapsedNanos;
  private final Duration interval;
  private final Thread thread;
  private final List<PoolPoint> points = new ArrayList<>();
  private int missed;

  /**
   * Starts to watch.
   *
   * @param client stays open when the watch is closed
   * @param keySpec which pool to watch
   * @param elapsedNanos since the run's start
   */
  public PoolWatch(
      KeywellClient client, String keySpec, LongSupplier elapsedNanos, Duration interval) {
    this.client = client;
    this.keySpec = keySpec;
    this.elapsedNanos = elapsedNanos;
    this.interval = interval;
    this.thread = Thread.ofVirtual().name("pool-watch").start(this::watch);
  }

  private void watch() {
    try {
      while (!Thread.currentThread().isInterrupted()) {
        look();
        Thread.sleep(interval);
      }
    } catch (InterruptedException e) {
      // Closed.
    }
  }

  private void look() throws InterruptedException {
    double seconds = elapsedNanos.getAsLong() / 1e9;
    try {
      add(pointOf(seconds, client.pool()));
    } catch (IOException e) {
      addMissed();
    }
  }

  private PoolPoint pointOf(double seconds, PoolStatus status) {
    PoolStatus.Queue queue = status.queue();
    int stored = 0;
    int loaded = 0;
    for (PoolStatus.Pool pool : status.pools()) {
      if (pool.keySpec().equals(keySpec)) {
        stored += pool.stored();
        loaded += pool.loaded();
      }
    }
    return new PoolPoint(seconds, queue == null ? 0 : queue.length(), stored, loaded);
  }

  private synchronized void add(PoolPoint point) {
    if (points.size() < MAX_POINTS) {
      points.add(point);
    } else {
      missed++;
    }
  }

  private synchronized void addMissed() {
    missed++;
  }

  /** Returns all points so far, in order. */
  public synchronized List<PoolPoint> points() {
    return List.copyOf(points);
  }

  /** Returns the last point; null before the first answer. */
  public synchronized @Nullable PoolPoint latest() {
    return points.isEmpty() ? null : points.getLast();
  }

  /** Returns how many points are missing, for lack of an answer or of room. */
  public synchronized int missed() {
    return missed;
  }

  @Override
  public void close() {
    thread.interrupt();
    try {
      thread.join(Duration.ofSeconds(2));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
