package org.keywell.loadgen.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class RequirementTest {

  /** 10 due, 7 signed, 6 of them ahead of time, 3 dropped; median 300, maximum 4,000 ms. */
  private static final Figures FIGURES = Figures.of(Samples.byHand());

  @ParameterizedTest
  @CsvSource({
    "max<=4000ms, true",
    "max<4s, false",
    "max=4s, true",
    "max>3.9s, true",
    "p50<301ms, true",
    "p90<=3s, false",
    "p99>=3.9s, true",
    "p999<1s, false",
    "mean<1158ms, true",
    "mean<1157ms, false",
    "dropped=0, false",
    "dropped=3, true",
    "dropped<=30%, true",
    "dropped<30%, false",
    "refused=1, true",
    "failed=0, true",
    "timeouts<1, false",
    "signed>=7, true",
    "signed=70%, true",
    "pregenerated=6, true",
    "share300>=40%, true",
    "share300>40%, false",
    "share3000>=60.1%, false",
    "' dropped  < 4 ', true",
  })
  void isMetOrNot(String text, boolean met) {
    assertThat(Requirement.parse(text).check(FIGURES).met()).isEqualTo(met);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "p99",
        "p99<",
        "p99<300",
        "p99<300%",
        "p98<300ms",
        "dropped=0ms",
        "share300>0.9",
        "p99<<300ms",
        "p99==300ms",
        "p99<-1ms",
        "P99<1ms",
        "dropped=0 dropped=0",
        "p99<1e3ms"
      })
  void whatIsNotUnderstoodIsRejected(String text) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Requirement.parse(text))
        .withMessageStartingWith("'");
  }

  @Test
  void anUnknownFigureIsAnsweredWithThoseThatThereAre() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Requirement.parse("latency<1ms"))
        .withMessageContaining("'latency' is no figure")
        .withMessageContaining("share3000");
  }

  @Test
  void tellsTheFigureThatDecided() {
    assertThat(Requirement.parse("dropped=0").check(FIGURES))
        .isEqualTo(new RequirementResult("dropped=0", false, "3"));
    assertThat(Requirement.parse("signed=100%").check(FIGURES).actual()).isEqualTo("70.000 %");
    assertThat(Requirement.parse("max<1s").check(FIGURES).actual()).isEqualTo("4,000.000 ms");
  }

  @Test
  void noLatencyIsNoGoodLatency() {
    RequirementResult result = Requirement.parse("p99<1s").check(Figures.of(List.of()));

    assertThat(result.met()).isFalse();
    assertThat(result.actual()).isEqualTo("no request was signed");
  }
}
