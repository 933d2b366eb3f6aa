package org.keywell.loadgen.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.keywell.loadgen.overload.OverloadResult;
import org.keywell.testkit.Chromium;

final class OverloadPageTest {
  @TempDir private Path folder = Path.of("");

  private String page(OverloadDocument overload) throws Exception {
    return Chromium.shown(Pages.of(overload), folder);
  }

  @Test
  @Tag("browser")
  void saysWhatWasCalculatedAndWhatCame() throws Exception {
    assertThat(
            page(
                Overloads.of(
                    1, true, Overloads.test(1, 3_000, 39.6), Overloads.test(2, 3_000, 40.1))))
        .contains(
            "<dd>26.03 /s</dd>",
            "<dt>lowest accuracy of a queue or a latency</dt><dd>99.00 %</dd>",
            "Simulated times, HSM profile: luna",
            "<th scope=\"row\">test 1</th><td>40</td><td>75.000</td><td>1,000.0</td><td>990</td><td>99.00 %</td>"
                + "<td>989</td><td>40.000</td><td>39.600</td><td>99.00 %</td><td>3,000 of 3,000</td>",
            "<th scope=\"row\">thesis 1</th><td>40</td><td>75.001</td><td>1,027.5</td><td>1,028</td>",
            "<th scope=\"row\">BR, callers that always wait for an answer</th><td>16</td>",
            "KEYWELL_HSM_PROFILE=luna",
            "test-2")
        .doesNotContain("notice wrong", "Interrupted", "%s", "dropped", "unknown");
  }

  @Test
  @Tag("browser")
  void saysWhatCastsDoubtOnIt() throws Exception {
    assertThat(page(Overloads.of(0.5, false, Overloads.test(1, 2_999, 0))))
        .contains(
            "notice wrong",
            "Interrupted; tests made: 1",
            "requests worked on at a time: 0.50",
            "Requests dropped, which the formulas do not know; in tests: 1",
            "Latency unknown, last request not signed; in tests: 1");
    assertThat(page(Overloads.of(1, true))).contains("tests made: 0");
  }

  @Test
  void theTerminalHasTheThesissRowsBelow() {
    String text =
        Summary.of(
            Overloads.of(1, true, Overloads.test(1, 3_000, 39.6), Overloads.test(2, 2_999, 0)));

    assertThat(text.lines().filter(line -> line.startsWith("test ")))
        .anyMatch(line -> line.matches("test 1 +40.0 .* 99.00 +40.000 +39.600 +99.00 .*"))
        .anyMatch(line -> line.endsWith("2,999 of 3,000"));
    assertThat(text)
        .contains("SIMULATED: luna", "base rate BR 26.03", "met             accuracy>=98.6%")
        .containsPattern("thesis 3 +100.0 +29.995 +2211.0 +2217 +- +84.018 +83.314 +99.16");
  }

  @ParameterizedTest
  @CsvSource({
    "accuracy>=98.6%, true",
    "accuracy>=99.1%, false",
    "accuracy>99%, false",
    "dropped=0, false",
    "dropped<=1, true",
  })
  void requirementsAreOnTheWorstOfAllTests(String text, boolean met) {
    List<OverloadResult> tests =
        List.of(Overloads.test(1, 2_999, 39.9), Overloads.test(2, 3_000, 40.1));

    assertThat(OverloadRequirement.parse(text).check(tests).met()).isEqualTo(met);
  }

  @Test
  void whatIsNotKnownMeetsNothing() {
    OverloadRequirement accuracy = OverloadRequirement.parse("accuracy>=1%");

    assertThat(accuracy.check(List.of()).met()).isFalse();
    assertThat(
            accuracy
                .check(List.of(Overloads.test(1, 3_000, 40), Overloads.test(2, 2_999, 0)))
                .met())
        .isFalse();
    assertThat(OverloadRequirement.parse("dropped=0").check(List.of()).met()).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"accuracy>=98.6", "dropped=1%", "p99<1ms", "accuracy"})
  void whatIsNotUnderstoodIsRejected(String text) {
    assertThatIllegalArgumentException().isThrownBy(() -> OverloadRequirement.parse(text));
  }
}
