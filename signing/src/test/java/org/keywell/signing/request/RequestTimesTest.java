package org.keywell.signing.request;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.junit.jupiter.api.Test;
import org.keywell.signing.request.RequestTimes.Stage;
import org.keywell.testkit.ManualTime;

final class RequestTimesTest {

  private final ManualTime time = new ManualTime();
  private final RequestTimes times = new RequestTimes(time, time);

  @Test
  void knowsOnlyTheStagesThatWereReached() {
    assertThat(times.at(Stage.REQUEST_RECEIVED))
        .contains(Instant.parse("2026-03-01T12:00:00.123456Z"));
    assertThat(times.at(Stage.SIGNED)).isEmpty();
    assertThat(times.waiting()).isEmpty();
    assertThat(times.processing()).isEmpty();
  }

  @Test
  void tellsWaitingFromProcessing() {
    time.advance(Duration.ofMillis(30));
    times.mark(Stage.REQUEST_START_TO_PROCESS);
    assertThat(times.processing()).isEmpty();
    time.advance(Duration.ofMillis(12));
    times.mark(Stage.REQUEST_FINISHED);

    assertThat(times.waiting()).contains(Duration.ofMillis(30));
    assertThat(times.processing()).contains(Duration.ofMillis(12));
    assertThat(times.sinceReceipt()).isEqualTo(Duration.ofMillis(42));
  }

  @Test
  void aStageTakesWhatPassedSinceTheOneThatWasReachedBefore() {
    time.advance(Duration.ofNanos(2));
    times.mark(Stage.REQUEST_GOT_KEY_PAIR);
    time.advance(Duration.ofNanos(30));
    times.mark(Stage.CERTIFIED);
    time.advance(Duration.ofNanos(400));
    times.mark(Stage.SIGNED);

    assertThat(times.tookNanos(Stage.REQUEST_GOT_KEY_PAIR)).hasValue(2);
    assertThat(times.tookNanos(Stage.CERTIFIED)).hasValue(30);
    assertThat(times.tookNanos(Stage.SIGNED)).hasValue(400);
    assertThat(times.tookNanos(Stage.KEY_DESTROYED)).isEmpty();
  }

  @Test
  void stagesOfOneMomentDoNotShareTheTimeBeforeThem() {
    time.advance(Duration.ofNanos(5));
    times.mark(Stage.SIGNED);
    times.mark(Stage.CERTIFIED);

    assertThat(times.tookNanos(Stage.SIGNED)).hasValue(5);
    assertThat(times.tookNanos(Stage.CERTIFIED)).hasValue(0);
  }

  @Test
  void aCalendarThatIsSetBackDoesNotTurnStagesAround() {
    time.advance(Duration.ofMillis(1));
    time.setBack(Duration.ofHours(1));
    times.mark(Stage.REQUEST_START_TO_PROCESS);

    assertThat(times.waiting()).contains(Duration.ofMillis(1));
    assertThat(times.at(Stage.REQUEST_START_TO_PROCESS).orElseThrow())
        .isAfter(times.at(Stage.REQUEST_RECEIVED).orElseThrow());
  }

  @Test
  void aDurationIsTheDifferenceOfItsTimestampsToTheMicrosecond() {
    time.advance(Duration.ofNanos(1_999));
    times.mark(Stage.REQUEST_START_TO_PROCESS);
    time.advance(Duration.ofNanos(1_999));
    times.mark(Stage.REQUEST_FINISHED);

    assertThat(times.waiting()).contains(Duration.ofNanos(1_000));
    assertThat(times.processing()).contains(Duration.ofNanos(2_000));
    for (Stage stage : new Stage[] {Stage.REQUEST_START_TO_PROCESS, Stage.REQUEST_FINISHED}) {
      Instant at = times.at(stage).orElseThrow();
      assertThat(at).isEqualTo(at.truncatedTo(ChronoUnit.MICROS));
    }
  }
}
