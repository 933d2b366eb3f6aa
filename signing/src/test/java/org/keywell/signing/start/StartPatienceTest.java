package org.keywell.signing.start;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.keywell.signing.start.EndSignal.StartAbandonedException;
import org.keywell.testkit.ManualTime;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

@ExtendWith(OutputCaptureExtension.class)
final class StartPatienceTest {

  private final ManualTime time = new ManualTime();
  private final AtomicInteger attempts = new AtomicInteger();

  @Test
  void whatComesWithinTheTimeIsWaitedFor(CapturedOutput output) {
    StartPatience patience = patience(Duration.ofSeconds(60));

    assertThat(patience.untilThere(() -> absentUntil(25))).isEqualTo("there");

    assertThat(output.getOut().lines().filter(line -> line.contains("start-patience")))
        .as("one line at once, then one every ten seconds")
        .hasSize(3)
        .allMatch(line -> line.contains("no database"))
        .first()
        .asString()
        .contains("waiting up to 60 s more");
  }

  @Test
  void allWaitsOfAStartShareOneTime() {
    StartPatience patience = patience(Duration.ofSeconds(60));
    patience.untilThere(() -> absentUntil(40));
    attempts.set(0);

    assertThatExceptionOfType(NotThereYetException.class)
        .isThrownBy(() -> patience.untilThere(() -> absentUntil(30)))
        .withMessage("no database");
    assertThat(attempts).hasValue(21);
  }

  @Test
  void withoutPatienceNothingIsTriedTwice(CapturedOutput output) {
    assertThatExceptionOfType(NotThereYetException.class)
        .isThrownBy(() -> patience(Duration.ZERO).untilThere(() -> absentUntil(1)));

    assertThat(attempts).hasValue(1);
    assertThat(output).doesNotContain("waiting");
  }

  /** A wrong PIN above all. */
  @Test
  void anyOtherFailureIsNotTriedAgain() {
    assertThatExceptionOfType(IllegalStateException.class)
        .isThrownBy(() ->
            patience(Duration.ofSeconds(60))
                .untilThere(() -> {
                  attempts.incrementAndGet();
                  throw new IllegalStateException("wrong PIN");
                }));

    assertThat(attempts).hasValue(1);
  }

  @Test
  void theEndOfTheProcessEndsTheWait() {
    StartPatience patience = new StartPatience(Duration.ofSeconds(60), time, ignored -> true);

    assertThatExceptionOfType(StartAbandonedException.class)
        .isThrownBy(() -> patience.untilThere(() -> absentUntil(2)));
    assertThat(attempts).hasValue(1);
  }

  private StartPatience patience(Duration patience) {
    return new StartPatience(
        patience,
        time,
        pause -> {
          time.advance(pause);
          return false;
        });
  }

  private String absentUntil(int attempt) {
    if (attempts.incrementAndGet() <= attempt) {
      throw new NotThereYetException("no database", new IOException("refused"));
    }
    return "there";
  }
}
