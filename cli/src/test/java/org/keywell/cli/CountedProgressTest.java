package org.keywell.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.keywell.testkit.ManualTime;

class CountedProgressTest {
  private final ManualTime time = new ManualTime();
  private final CountedProgress progress =
      new CountedProgress("waiting for the service", "EC-P256 keys", 100, time);

  @Test
  void tellsSpeedAndTimeLeft() {
    assertThat(progress.line()).isEqualTo("waiting for the service");
    progress.reached(0);
    assertThat(progress.line()).isEqualTo("EC-P256 keys 0/100");
    time.advance(Duration.ofSeconds(1));
    progress.reached(20);
    assertThat(progress.line()).isEqualTo("EC-P256 keys 20/100  20.0/s  4 s left");
    time.advance(Duration.ofSeconds(4));
    progress.reached(120);
    assertThat(progress.line()).isEqualTo("EC-P256 keys 100/100  20.0/s");
  }

  @Test
  void keysThatWereThereBeforeDoNotCountAsSpeed() {
    progress.reached(90);
    time.advance(Duration.ofSeconds(5));
    progress.reached(95);

    assertThat(progress.line()).isEqualTo("EC-P256 keys 95/100  1.0/s  5 s left");
  }
}
