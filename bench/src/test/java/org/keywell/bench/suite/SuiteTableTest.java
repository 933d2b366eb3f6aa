package org.keywell.bench.suite;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class SuiteTableTest {

  @Test
  void ratiosAreHeldAgainstTheirGoalsWithTheirSpread() {
    assertThat(SuiteTable.of(Runs.of(false, Runs.burst())))
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
    assertThat(SuiteTable.of(Runs.of(true, Runs.burst())))
        .startsWith(
            "**Not to be published:** the machine had other work; its load average was 3.25 when"
                + " the run began.\n\n|");
  }

  @Test
  void whatWasNotMeasuredIsNamed() {
    assertThat(
            SuiteTable.of(Runs.of(false, MeasuredPart.failed(PartId.G, "the database is away", 1))))
        .isEqualTo("g was not measured: the database is away\n");
  }
}
