package org.keywell.operations.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.keywell.operations.console.Sample.Latency;

final class LatencyWindowTest {

  private final LatencyWindow window = new LatencyWindow(3);

  private void record(long millis) {
    window.record(TimeUnit.MILLISECONDS.toNanos(millis));
  }

  private Latency end() {
    return window.endInterval().orElseThrow();
  }

  @Test
  void knowsNothingBeforeTheFirstRequest() {
    assertThat(window.endInterval()).isEmpty();
  }

  @Test
  void percentilesAreTheRequests() {
    LongStream.rangeClosed(1, 100).forEach(this::record);

    Latency latency = end();

    assertThat(latency.p50Millis()).isCloseTo(50, withinPercentage(1));
    assertThat(latency.p99Millis()).isCloseTo(99, withinPercentage(1));
  }

  @Test
  void whatIsOlderThanTheWindowDoesNotCount() {
    record(1_000);
    end();
    record(10);
    end();
    record(10);
    assertThat(end().p99Millis()).isCloseTo(1_000, withinPercentage(1));

    assertThat(end().p99Millis()).isCloseTo(10, withinPercentage(1));
    end();
    assertThat(window.endInterval()).isEmpty();
  }

  @Test
  void longerThanTheLongestCountsAsTheLongest() {
    window.record(Long.MAX_VALUE);

    assertThat(end().p50Millis())
        .isCloseTo(LatencyWindow.LONGEST_MICROS / 1000.0, withinPercentage(1));
  }
}
