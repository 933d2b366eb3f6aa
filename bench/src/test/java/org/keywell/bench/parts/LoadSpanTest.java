package org.keywell.bench.parts;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.keywell.loadgen.drive.Outcome;
import org.keywell.loadgen.drive.Sample;
import org.keywell.loadgen.watch.PoolPoint;

class LoadSpanTest {
  private static final int FULL = 100;

  private static final LoadSpan SPAN =
      LoadSpan.of(
          List.of(at(0.5, 10), at(1.0, 60), at(1.5, 99), at(2.0, FULL), at(2.5, FULL)), FULL);

  @Test
  void requestIsWhileLoadingIfItsAnswerCameBeforeTheLastKeysWereSeenMissing() {
    assertThat(SPAN.isWhileLoading(sample(1.0, 1.4))).isTrue();
    assertThat(SPAN.isWhileLoading(sample(1.4, 1.6))).isFalse();
  }

  @Test
  void requestIsAfterLoadingIfItWasDueOnceAllKeysWereSeen() {
    assertThat(SPAN.isAfterLoading(sample(2.0, 2.1))).isTrue();
    assertThat(SPAN.isAfterLoading(sample(1.9, 2.6))).isFalse();
  }

  @Test
  void whatLiesBetweenTheTwoLooksIsOnNeitherSide() {
    Sample between = sample(1.6, 1.7);

    assertThat(SPAN.isWhileLoading(between)).isFalse();
    assertThat(SPAN.isAfterLoading(between)).isFalse();
  }

  @Test
  void nothingIsAfterABatchThatIsNotLoadedInTheEnd() {
    LoadSpan span = LoadSpan.of(List.of(at(0.5, FULL), at(1.0, 60)), FULL);

    assertThat(span.isAfterLoading(sample(0.6, 0.7))).isFalse();
    assertThat(span.isWhileLoading(sample(0.6, 0.7))).isTrue();
  }

  @Test
  void nothingIsWhileLoadingIfNoKeyWasEverMissing() {
    LoadSpan span = LoadSpan.of(List.of(at(0.5, FULL)), FULL);

    assertThat(span.isWhileLoading(sample(0.1, 0.2))).isFalse();
    assertThat(span.isAfterLoading(sample(0.6, 0.7))).isTrue();
  }

  @Test
  void meanIsFromWhenRequestsWereDue() {
    assertThat(LoadSpan.meanMillis(List.of(sample(1.0, 1.002), sample(2.0, 2.004)))).hasValue(3.0);
    assertThat(LoadSpan.meanMillis(List.of())).isEmpty();
  }

  private static PoolPoint at(double seconds, int loaded) {
    return new PoolPoint(seconds, 0, 1_000, loaded);
  }

  private static Sample sample(double dueSeconds, double answeredSeconds) {
    long due = Math.round(dueSeconds * 1e9);
    return new Sample(
        1, due, due + 1_000, Math.round(answeredSeconds * 1e9), new Outcome.TimedOut());
  }
}
