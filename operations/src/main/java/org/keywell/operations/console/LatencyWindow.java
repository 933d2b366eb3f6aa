package org.keywell.operations.console;

import java.util.Optional;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.Recorder;
import org.keywell.operations.console.Sample.Latency;

/**
 * Percentiles over the latest intervals. Any thread may {@link #record}, which neither blocks nor
 * allocates; one thread ends the intervals.
 */
final class LatencyWindow {

  /** Longer ones count as this long; a request's deadline is at most 60 s by default. */
  static final long LONGEST_MICROS = 120_000_000;

  /** Values are accurate to 1 %. */
  private static final int SIGNIFICANT_DIGITS = 2;

  private final Recorder recorder = new Recorder(LONGEST_MICROS, SIGNIFICANT_DIGITS);
  private final Histogram[] intervals;
  private final Histogram sum = new Histogram(LONGEST_MICROS, SIGNIFICANT_DIGITS);
  private int oldest;

  /**
   * @param intervals how many count
   */
  LatencyWindow(int intervals) {
    this.intervals = new Histogram[intervals];
    for (int i = 0; i < intervals; i++) {
      this.intervals[i] = recorder.getIntervalHistogram();
    }
  }

  /**
   * @param nanos 0 or more
   */
  void record(long nanos) {
    recorder.recordValue(Math.min(nanos / 1000, LONGEST_MICROS));
  }

  /**
   * Ends an interval. Returns the percentiles of the latest ones; empty if nothing was recorded.
   */
  Optional<Latency> endInterval() {
    intervals[oldest] = recorder.getIntervalHistogram(intervals[oldest]);
    oldest = (oldest + 1) % intervals.length;
    sum.reset();
    for (Histogram interval : intervals) {
      sum.add(interval);
    }
    return sum.getTotalCount() == 0
        ? Optional.empty()
        : Optional.of(new Latency(millis(50), millis(99)));
  }

  private double millis(double percentile) {
    return sum.getValueAtPercentile(percentile) / 1000.0;
  }
}
