package org.keywell.service.launch;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.testkit.ManualTime;

/** Tests run without a terminal, so what is shown are lines. */
final class FillProgressTest {

  private final ManualTime time = new ManualTime();
  private final ByteArrayOutputStream shown = new ByteArrayOutputStream();
  private final FillProgress progress =
      new FillProgress(
          new FillArguments(100, KeySpec.EC_P256), new PrintStream(shown, true, UTF_8), time);

  @Test
  void showsALineEveryTenSeconds() {
    progress.show(20);
    time.advance(Duration.ofSeconds(9));
    progress.show(50);
    assertThat(lines()).hasSize(1);
    time.advance(Duration.ofSeconds(1));
    progress.show(60);

    assertThat(lines())
        .containsExactly(
            "[########                                ] 20/100 EC-P256, 0.0/s, time left -",
            "[########################                ] 60/100 EC-P256, 4.0/s, time left 10s");
  }

  @Test
  void aPoolThatShrinksHasNoTimeLeft() {
    progress.show(20);
    time.advance(Duration.ofSeconds(10));
    progress.show(10);

    assertThat(lines().getLast()).contains("-1.0/s, time left -");
    assertThat(lines().getLast()).doesNotContain("time left -1");
  }

  @Test
  void sumsUp() {
    progress.show(20);
    time.advance(Duration.ofSeconds(8));
    progress.finish(100, 80);

    assertThat(lines().getLast())
        .isEqualTo("100 EC-P256 keys are stored; 80 made in 8.0 s (10.0/s)");
  }

  /** What is stored and what was made are two figures while a service takes keys out. */
  @Test
  void sumsUpBesideAServiceThatTakesKeys() {
    progress.show(20);
    time.advance(Duration.ofSeconds(8));
    progress.finish(35, 81);

    assertThat(lines())
        .endsWith(
            "35 EC-P256 keys are stored; 81 made in 8.0 s (10.1/s)",
            "the running service has taken the others out of the store");
  }

  @Test
  void aFullPoolIsDoneAtOnce() {
    progress.finish(100, 0);

    assertThat(lines()).containsExactly("100 EC-P256 keys are stored; 0 made in 0.0 s (0.0/s)");
  }

  private List<String> lines() {
    return shown.toString(UTF_8).lines().toList();
  }
}
