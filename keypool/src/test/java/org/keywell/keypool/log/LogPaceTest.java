package org.keywell.keypool.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

final class LogPaceTest {

  private static final long MINUTE = Duration.ofMinutes(1).toNanos();

  private long now = Long.MAX_VALUE - MINUTE / 2;
  private final LogPace pace = new LogPace(() -> now);

  @Test
  void theFirstIsSaidAndThenOneAMinuteWithAllInBetween() {
    assertThat(pace.due(0)).as("nothing occurred").isZero();
    assertThat(pace.due(3)).isEqualTo(3);
    assertThat(pace.due(1)).isZero();
    now += MINUTE - 1;
    assertThat(pace.due(2)).isZero();
    now++;
    assertThat(pace.due(1)).isEqualTo(4);
    assertThat(pace.due(1)).isZero();
    now += MINUTE;
    assertThat(pace.due(0)).as("what was not said yet").isEqualTo(1);
  }
}
