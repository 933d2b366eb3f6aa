package org.keywell.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ProgressBarTest {
  private final StringWriter out = new StringWriter();
  private long nanos;

  private ProgressBar bar(boolean terminal) {
    return new ProgressBar(new PrintWriter(out, true), terminal, () -> nanos, "keys");
  }

  private void secondsPass(int seconds) {
    nanos += TimeUnit.SECONDS.toNanos(seconds);
  }

  @Test
  void onATerminalOneLineIsDrawnOver() {
    ProgressBar bar = bar(true);

    bar.show(0, 20);
    secondsPass(1);
    bar.show(10, 20);
    bar.end();

    assertThat(out.toString())
        .contains("\rkeys [..............................] 0/20")
        .contains("\rkeys [###############...............] 10/20  10.0/s  1 s left")
        .endsWith(System.lineSeparator());
  }

  @Test
  void elsewhereThereAreFewPlainLines() {
    ProgressBar bar = bar(false);

    for (int done = 0; done <= 10; done++) {
      bar.show(done, 10);
      secondsPass(1);
    }
    bar.end();

    assertThat(out.toString().lines())
        .containsExactly(
            "keys 0/10",
            "keys 2/10  1.0/s  8 s left",
            "keys 4/10  1.0/s  6 s left",
            "keys 6/10  1.0/s  4 s left",
            "keys 8/10  1.0/s  2 s left",
            "keys 10/10  1.0/s");
  }

  @Test
  void keysThatWereThereBeforeDoNotCountAsSpeed() {
    ProgressBar bar = bar(false);

    bar.show(90, 100);
    secondsPass(5);
    bar.show(95, 100);

    assertThat(out.toString()).contains("keys 95/100  1.0/s  5 s left");
  }
}
