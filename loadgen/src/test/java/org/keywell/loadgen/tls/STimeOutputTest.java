package org.keywell.loadgen.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.keywell.loadgen.service.BoundedRun;
import org.keywell.loadgen.service.BoundedRun.Arrival;
import org.keywell.loadgen.text.Resource;

/** On what s_time of OpenSSL 3.0.19 really printed. */
final class STimeOutputTest {
  private static final long PER_CONNECTION = 1_068;

  private static String printed(String file) {
    return Resource.text("/org/keywell/loadgen/tls/" + file + ".txt");
  }

  /** As if all had arrived at the end. */
  private static BoundedRun run(int exitCode, String text) {
    return new BoundedRun(exitCode, text, List.of(new Arrival(text.length(), 0)));
  }

  @Test
  void newConnectionsAreCounted() throws Exception {
    assertThat(STimeOutput.read(run(0, printed("new")), false, PER_CONNECTION))
        .isEqualTo(new Trial(676_044, 633, 0, 2));
  }

  @Test
  void resumedConnectionsAreCounted() throws Exception {
    assertThat(STimeOutput.read(run(0, printed("reuse")), true, PER_CONNECTION))
        .isEqualTo(new Trial(2_417_952, 2_264, 0, 2));
  }

  /** A mark a millisecond, of which the first three come together: 2 s are printed. */
  @ParameterizedTest
  @CsvSource({"new, false, 633", "reuse, true, 2264"})
  void theTimeIsThatOfTheMarks(String file, boolean resumed, int connections) throws Exception {
    String text = printed(file);
    int marks = text.indexOf(resumed ? "rrr" : "***");
    List<Arrival> arrivals = new ArrayList<>();
    for (int mark = 3; mark <= connections; mark++) {
      arrivals.add(new Arrival(marks + mark, mark * 1_000_000L));
    }
    arrivals.add(new Arrival(text.length(), 9_000_000_000L));

    Trial trial = STimeOutput.read(new BoundedRun(0, text, arrivals), resumed, PER_CONNECTION);

    assertThat(trial.seconds()).isCloseTo(connections / 1_000.0, within(1e-6));
    assertThat(trial.connectionsPerSecond()).isCloseTo(1_000, within(0.01));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          missing-file          | 0 | false | 343 in each; the file and its head have 1068
          no-client-certificate | 0 | false | s_time read nothing: 1694 connections, 0 bytes
          no-file               | 0 | false | s_time read nothing: 1744 connections, 0 bytes
          refused               | 1 | false | failed (exit code 1): error:8000006F:system library
          not-resumed           | 0 | true  | 0 of 749 connections resumed a session
          new                   | 1 | false | failed (exit code 1)
          """)
  void whatIsNotAMeasurementIsAnError(String file, int exitCode, boolean resumed, String reason) {
    long perConnection = file.equals("not-resumed") ? 1_048_620 : PER_CONNECTION;
    assertThatIOException()
        .isThrownBy(() -> STimeOutput.read(run(exitCode, printed(file)), resumed, perConnection))
        .withMessageContaining(reason);
  }

  @Test
  void aSessionThatWasNotResumedIsCounted() throws Exception {
    String text = printed("reuse").replaceFirst("rrr", "r*r");
    assertThat(STimeOutput.read(run(0, text), true, PER_CONNECTION).notResumed()).isEqualTo(1);
  }

  @Test
  void newConnectionsThatWereResumedAreAnError() throws IOException {
    String text = printed("new").replaceFirst("\\*\\*", "r*");
    assertThatIOException()
        .isThrownBy(() -> STimeOutput.read(run(0, text), false, PER_CONNECTION))
        .withMessage("632 of 633 connections had a new session of TLS 1.3");
  }

  @ParameterizedTest
  @CsvSource({"''", "'s_time: Unknown option: -tls1_3\n'"})
  void somethingElseIsAnError(String text) {
    assertThatIOException()
        .isThrownBy(() -> STimeOutput.read(run(0, text), false, PER_CONNECTION))
        .withMessageStartingWith("openssl s_time failed (exit code 0): " + text.strip());
  }
}
