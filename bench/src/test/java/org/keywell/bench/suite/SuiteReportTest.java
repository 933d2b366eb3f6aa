package org.keywell.bench.suite;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

final class SuiteReportTest {

  private static String text(SuiteDocument run) {
    return new SuiteReport(run).text();
  }

  @Test
  void ratiosAreHeldAgainstTheirGoalsWithTheirSpread() {
    assertThat(text(Runs.of(false, Runs.burst())))
        .isEqualTo(
            """
            |   | Compared     | Median        | Rounds       | Target | Stretch |
            |---|--------------|---------------|--------------|--------|---------|
            | b | burst / C    | 0.33 (missed) | 0.31 to 0.36 | 0.35   | 0.45    |
            | b | EC burst / C | 0.50          | 0.50 to 0.50 |        |         |
            | b | p50          | 2.25 ms       |              | 5.00   | 3.00    |

            |   | Measured |       | Unit       |
            |---|----------|-------|------------|
            | b | burst    | 1,079 | requests/s |

            """);
  }

  @Test
  void aBusyMachineIsSaidBeforeAnyFigure() {
    assertThat(text(Runs.of(true, Runs.burst())))
        .startsWith(
            "**Not to be published:** the machine had other work; its load average was 3.25 when"
                + " the run began.\n\n|");
  }

  @Test
  void whatWasNotMeasuredIsNamed() {
    assertThat(text(Runs.of(false, MeasuredPart.failed(PartId.G, "the database is away", 1))))
        .isEqualTo("g was not measured: the database is away\n");
  }

  @Test
  void whatWasMeasuredInStepsStandsBesideEachOther() {
    MeasuredPart profile =
        MeasuredPart.of(
            PartId.I,
            new PartResult(
                List.of(),
                List.of(
                    Reading.of("time, RSA: HTTP", 120, "µs"),
                    Reading.of("time, RSA: HSM", 812.4, "µs"),
                    Reading.of("time, EC: HTTP", 118, "µs"),
                    Reading.of("rate: 2 threads", 900, "/s"),
                    Reading.of("alone", 1, "ms"))),
            1);
    assertThat(text(Runs.of(false, profile)))
        .isEqualTo(
            """
            |   | Measured |      | Unit |
            |---|----------|------|------|
            | i | alone    | 1.00 | ms   |

            | time, µs | RSA | EC  |
            |----------|-----|-----|
            | HTTP     | 120 | 118 |
            | HSM      | 812 |     |

            | rate, /s  |     |
            |-----------|-----|
            | 2 threads | 900 |

            """);
  }
}
