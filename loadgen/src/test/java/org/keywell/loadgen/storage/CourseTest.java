package org.keywell.loadgen.storage;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.keywell.loadgen.service.BoundedRun;
import org.keywell.loadgen.service.BoundedRun.Arrival;

final class CourseTest {
  private static final long SECOND = 1_000_000_000L;
  private static final int ENDED_WHEN_TOLD = 143;

  /** Something happens from second 2.5 to 4.5. */
  private static Course course(int exitCode, int failed, int... rates) {
    StringBuilder text = new StringBuilder("starting vacuum...end.\n");
    List<Arrival> arrivals = new ArrayList<>(List.of(new Arrival(text.length(), 0)));
    for (int i = 0; i < rates.length; i++) {
      text.append(
          "progress: %d.0 s, %s tps, lat 61.2 ms stddev 20.1, %d failed\n"
              .formatted(i + 1, rates[i] == 0 ? "0.0" : rates[i] + ".5", i == 3 ? failed : 0));
      arrivals.add(new Arrival(text.length(), (i + 1) * SECOND));
    }
    return Course.read(
        new BoundedRun(exitCode, text.toString(), arrivals), SECOND * 5 / 2, SECOND * 9 / 2);
  }

  @Test
  void secondsBeforeAndAfterAreApart() {
    Course course = course(ENDED_WHEN_TOLD, 0, 100, 200, 7, 7, 7, 300, 500);
    assertThat(course.before()).containsExactly(100.5, 200.5);
    assertThat(course.after()).containsExactly(300.5, 500.5);
    assertThat(course.goesOn()).isTrue();
    assertThat(course.text()).isEqualTo("151 transactions/s before, 401 after, none failed");
    assertThat(course(ENDED_WHEN_TOLD, 0, 0, 200, 7, 7, 7, 300, 0).goesOn()).isTrue();
  }

  @ParameterizedTest
  @CsvSource({"143, 2, 300", "1, 0, 300", "143, 0, -1", "143, 0, 0"})
  void failuresAnEndAndNoAnswerAreSeen(int exitCode, int failed, int last) {
    Course course =
        last < 0
            ? course(exitCode, failed, 100, 200, 7, 7)
            : course(exitCode, failed, 100, 200, 7, 7, 7, last);
    assertThat(course.goesOn()).isFalse();
  }
}
