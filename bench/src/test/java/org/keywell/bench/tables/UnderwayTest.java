package org.keywell.bench.tables;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.keywell.bench.tables.TablesPlan.Measure;
import org.keywell.bench.tables.figure.Column;
import org.keywell.bench.tables.figure.TableId;
import org.keywell.bench.tables.figure.ThesisTables;

final class UnderwayTest {
  private static final Offset<Double> EXACT = Offset.offset(1e-9);

  private final AtomicLong nanos = new AtomicLong(-5);
  private final Underway underway =
      new Underway(
          new TablesPlan(List.of(step(0, 10, 100), step(1, 20, 100), step(2, 1, 1_000))),
          nanos::get);

  private static Measure step(int row, int units, double expectedMillis) {
    String device = row == 2 ? "other" : "native";
    return new Measure(
        ThesisTables.rows(TableId.GENERATION).get(row),
        Column.NATIVE,
        device,
        units,
        expectedMillis);
  }

  private void pass(double millis) {
    nanos.addAndGet(Math.round(millis * 1e6));
  }

  @Test
  void expectationHoldsUntilSomethingIsMeasured() {
    assertThat(underway.secondsLeft()).isCloseTo(1 + 2 + 1, EXACT);
    underway.begin(0);
    pass(300);
    assertThat(underway.secondsLeft()).isCloseTo(0.7 + 2 + 1, EXACT);
  }

  @Test
  void whatIsMeasuredTellsOfTheStepAndOfThoseLikeIt() {
    underway.begin(0);
    pass(400);
    underway.advance();
    underway.advance();
    // 200 ms each: 8 are left.
    assertThat(underway.secondsLeft()).isCloseTo(1.6 + 2 + 1, EXACT);
    underway.end();
    assertThat(underway.secondsLeft()).isCloseTo(20 * 0.2 + 1, EXACT);
  }

  @Test
  void afterTheLastStepNothingIsLeft() {
    for (int i = 0; i < 3; i++) {
      underway.begin(i);
      underway.advance();
      pass(10);
      underway.end();
    }
    assertThat(underway.secondsLeft()).isZero();
    assertThat(underway.line()).isEqualTo("tidying up");
  }

  @Test
  void aStopIsToldAtOnce() {
    assertThat(underway.line()).isEqualTo("getting ready | about 4 s left");
    underway.begin(0);
    underway.stop();

    assertThat(underway.stopped()).isTrue();
    assertThat(underway.line()).isEqualTo("tidying up");
  }

  @Test
  void itSaysWhatIsDone() {
    underway.begin(1);
    pass(100);
    underway.advance();

    assertThat(underway.line())
        .isEqualTo("Table 2-4, 1,000 keys, native: 1 of 20 | about 3 s left");
  }
}
