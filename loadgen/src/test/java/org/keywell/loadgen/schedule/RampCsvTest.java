package org.keywell.loadgen.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class RampCsvTest {

  @Test
  void readsStepsAndSkipsCommentsAndEmptyLines() throws Exception {
    List<Step> steps =
        RampCsv.parse(
            List.of("# mine", "", RampCsv.HEADER, "1,50,12.5,80", " 51 , 60 , 0.5 , ", "# end"));

    assertThat(steps)
        .containsExactly(new Step(1, 50, 12_500_000, false), new Step(51, 60, 500_000, false));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "1,100,1000          | 4 columns are needed, not 3",
        "2,100,1000,1        | from_request must be 1, not 2",
        "1,0,1000,1          | to_request '0' is not 1 to 100000",
        "1,x,1000,1          | to_request 'x' is not 1 to 100000",
        "1,200000,1000,1     | to_request '200000' is not 1 to 100000",
        "1,100,0,            | delay_ms '0' is not 0.001 to 3600000",
        "1,100,-5,           | delay_ms '-5' is not 0.001 to 3600000",
        "1,100,fast,         | delay_ms 'fast' is not 0.001 to 3600000",
        "1,100,1e99999999,   | delay_ms '1e99999999' is not 0.001 to 3600000",
        "1,100,1000,2        | requests_per_second 2 does not fit the delay, which makes 1.00",
        "1,100,1000,often    | requests_per_second 'often' is no number",
        "1,100,1000,NaN      | requests_per_second NaN does not fit the delay, which makes 1.00",
      })
  void namesTheLineThatIsWrong(String line, String problem) {
    assertThatExceptionOfType(RampFormatException.class)
        .isThrownBy(() -> RampCsv.parse(List.of("# comment", RampCsv.HEADER, line)))
        .withMessage("line 3: " + problem);
  }

  @Test
  void aStepMustFollowItsPredecessor() {
    assertThatExceptionOfType(RampFormatException.class)
        .isThrownBy(() -> RampCsv.parse(List.of(RampCsv.HEADER, "1,10,10,", "12,20,10,")))
        .withMessage("line 3: from_request must be 11, not 12");
  }

  @Test
  void headerAndStepsMustBeThere() {
    assertThatExceptionOfType(RampFormatException.class)
        .isThrownBy(() -> RampCsv.parse(List.of("1,10,10,100")))
        .withMessageStartingWith("line 1: the first line must be from_request");
    assertThatExceptionOfType(RampFormatException.class)
        .isThrownBy(() -> RampCsv.parse(List.of(RampCsv.HEADER, "")))
        .withMessage("line 2: there is no step");
  }
}
