package org.keywell.loadgen.drive;

import java.util.Collection;
import org.HdrHistogram.Histogram;

/**
 * Latencies in an HdrHistogram that grows with its values and keeps three significant digits.
 * Values are never clamped: one that the histogram cannot hold counts as an overflow. Thread-safe.
 */
public final class Latencies {
  private static final int SIGNIFICANT_DIGITS = 3;
  private static final double NANOS_PER_MILLI = 1e6;

  private final Histogram histogram = new Histogram(SIGNIFICANT_DIGITS);
  private long overflows;

  public static Latencies of(Collection<Long> nanos) {
    Latencies latencies = new Latencies();
    nanos.forEach(latencies::record);
    return latencies;
  }

  public synchronized void record(long nanos) {
    try {
      histogram.recordValue(nanos);
    } catch (ArrayIndexOutOfBoundsException e) {
      overflows++;
    }
  }

  public synchronized long count() {
    return histogram.getTotalCount();
  }

  public synchronized long overflows() {
    return overflows;
  }

  /** Returns the value that {@code percent} of all do not exceed, in ms; 0 if there is none. */
  public synchronized double percentileMillis(double percent) {
    return histogram.getValueAtPercentile(percent) / NANOS_PER_MILLI;
  }
}
