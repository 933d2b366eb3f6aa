package org.keywell.bench.suite;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

final class SuiteRunTest {
  private final List<String> told = new ArrayList<>();
  private final AtomicLong clock = new AtomicLong();

  /** What a part does when it measures. */
  private interface Measuring {
    double ratio(int rounds) throws IOException, InterruptedException;
  }

  private Map.Entry<PartId, Part> part(PartId id, Measuring measuring) {
    return Map.entry(
        id,
        rounds -> {
          double ratio = measuring.ratio(rounds);
          clock.addAndGet(2_000_000_000);
          return new PartResult(
              List.of(new Ratio("of " + rounds, List.of(ratio), Goal.NONE)), List.of());
        });
  }

  @SafeVarargs
  private SuiteRun run(Map.Entry<PartId, Part>... parts) {
    Map<PartId, Part> all = new EnumMap<>(PartId.class);
    for (Map.Entry<PartId, Part> part : parts) {
      all.put(part.getKey(), part.getValue());
    }
    SuiteRun run = new SuiteRun(all, 3, told::add, clock::get);
    run.run();
    return run;
  }

  @Test
  void partsAreMeasuredOneAfterTheOtherInAsManyRounds() {
    SuiteRun run = run(part(PartId.B, _ -> 0.5), part(PartId.D, _ -> 70));

    assertThat(run.interrupted()).isFalse();
    assertThat(run.measured()).extracting(MeasuredPart::part).containsExactly("b", "d");
    assertThat(run.measured())
        .allSatisfy(part -> {
          assertThat(part.failure()).isNull();
          assertThat(part.seconds()).isEqualTo(2);
          assertThat(part.ratios()).extracting(Ratio::label).containsExactly("of 3");
        });
    assertThat(told)
        .anyMatch(line -> line.contains("b. A burst") && line.contains("(1 of 2)"))
        .anyMatch(line -> line.contains("d. Keys") && line.contains("(2 of 2)"));
  }

  @Test
  void aPartThatFailsEndsNoOther() {
    SuiteRun run =
        run(
            part(
                PartId.B,
                _ -> {
                  throw new IOException("no keys\n  are left");
                }),
            part(
                PartId.C,
                _ -> {
                  throw new IllegalStateException("a mistake");
                }),
            part(PartId.D, _ -> 70));

    assertThat(run.measured())
        .extracting(MeasuredPart::failure)
        .containsExactly("no keys; are left", "java.lang.IllegalStateException: a mistake", null);
    assertThat(told).contains("failed: no keys; are left");
  }

  @Test
  void whatWasMeasuredBeforeAnInterruptionIsKept() {
    SuiteRun run =
        run(
            part(PartId.B, _ -> 0.5),
            part(
                PartId.C,
                _ -> {
                  throw new InterruptedException();
                }),
            part(PartId.D, _ -> 70));

    assertThat(run.interrupted()).isTrue();
    assertThat(run.measured()).extracting(MeasuredPart::part).containsExactly("b");
  }

  @Test
  void aFailureThatAnInterruptionCausedIsOne() {
    SuiteRun run =
        run(
            part(
                PartId.B,
                _ -> {
                  Thread.currentThread().interrupt();
                  throw new IOException("the channel was closed");
                }));

    assertThat(run.interrupted()).isTrue();
    assertThat(run.measured()).isEmpty();
    // The report is written by the same thread.
    assertThat(Thread.currentThread().isInterrupted()).isFalse();
  }
}
