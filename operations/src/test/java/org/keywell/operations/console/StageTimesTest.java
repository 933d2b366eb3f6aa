package org.keywell.operations.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;
import org.keywell.signing.request.RequestTimes;
import org.keywell.signing.request.RequestTimes.Stage;
import org.keywell.testkit.ManualTime;

final class StageTimesTest {

  private final ManualTime time = new ManualTime();
  private final RequestTimes times = new RequestTimes(time, time);

  private void after(int millis, Stage stage) {
    time.advance(Duration.ofMillis(millis));
    times.mark(stage);
  }

  private StageTimes stages() {
    return StageTimes.of(times, times.sinceReceipt().toNanos());
  }

  private void accepted(int millis) {
    time.advance(Duration.ofMillis(millis));
    times.markAccepted();
  }

  @Test
  void ofASignedRequest() {
    accepted(1);
    after(2, Stage.REQUEST_START_TO_PROCESS);
    after(3, Stage.REQUEST_GOT_KEY_PAIR);
    after(4, Stage.SIGNED);
    after(5, Stage.CERTIFIED);
    after(6, Stage.KEY_DESTROYED);
    after(7, Stage.REQUEST_FINISHED);
    time.advance(Duration.ofMillis(8));

    assertThat(stages())
        .isEqualTo(new StageTimes(1_000, 2_000, 3_000, 4_000, 5_000, 6_000, 7_000, 8_000));
  }

  @Test
  void ofARequestWhoseCertificateCameFirst() {
    accepted(1);
    after(2, Stage.REQUEST_START_TO_PROCESS);
    after(3, Stage.REQUEST_GOT_KEY_PAIR);
    after(5, Stage.CERTIFIED);
    after(4, Stage.SIGNED);
    after(6, Stage.KEY_DESTROYED);
    after(7, Stage.REQUEST_FINISHED);
    time.advance(Duration.ofMillis(8));

    assertThat(stages())
        .isEqualTo(new StageTimes(1_000, 2_000, 3_000, 4_000, 5_000, 6_000, 7_000, 8_000));
  }

  @Test
  void theWaitForAKeyThatNeverCameIsOfNoStage() {
    accepted(1);
    after(2, Stage.REQUEST_START_TO_PROCESS);
    after(30, Stage.REQUEST_FINISHED);
    time.advance(Duration.ofMillis(4));

    assertThat(stages()).isEqualTo(new StageTimes(1_000, 2_000, 0, 0, 0, 0, 30_000, 4_000));
  }

  /** Whatever stages a request reached, in whole microseconds as here they are its whole time. */
  @RepeatedTest(50)
  void theyAddUpToTheRequest(RepetitionInfo repetition) {
    Random random = new Random(repetition.getCurrentRepetition());
    accepted(random.nextInt(50));
    for (Stage stage : Stage.values()) {
      boolean always = stage == Stage.REQUEST_START_TO_PROCESS || stage == Stage.REQUEST_FINISHED;
      if (stage != Stage.REQUEST_RECEIVED && (always || random.nextBoolean())) {
        after(random.nextInt(100), stage);
      }
    }
    time.advance(Duration.ofMillis(random.nextInt(20)));

    StageTimes stages = stages();

    long sum =
        stages.accept()
            + stages.queue()
            + stages.key()
            + stages.sign()
            + stages.certify()
            + stages.destroy()
            + stages.other()
            + stages.record();
    assertThat(sum).isEqualTo(times.sinceReceipt().toNanos() / 1000);
  }
}
