package org.keywell.loadgen.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What goes wrong before anything is measured; the acceptance tests measure. */
final class MessagesCommandTest {
  private final Program program = new Program();

  @TempDir private Path folder = Path.of("");

  private void isMisused(String option, String told) {
    int code =
        program.run(
            "messages",
            "--data=" + folder.resolve("data"),
            "--out=" + folder.resolve("report"),
            option);
    assertThat(code).isEqualTo(2);
    assertThat(program.err()).startsWith("keywell: " + told).hasLineCount(1);
    assertThat(folder).isEmptyDirectory();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          --seconds=0                 | --seconds is 0, expected 1 to 300
          --warm-up=301               | --warm-up is 301, expected 0 to 300
          --rounds=101                | --rounds is 101, expected 1 to 100
          --clients=1,201             | --clients is 201, expected 1 to 200
          --clients=1,2,3,4,5,6,7,8,9,10,11 | the number of --clients is 11, expected 1 to 10
          --fresh=9                   | --fresh is 9, expected 10 to 100000
          --fresh=100001              | --fresh is 100001, expected 10 to 100000
          --fresh=449                 | --fresh is 449; with up to 50 clients in each of 9 measurements it must be at least 450
          """)
  void aMistakeIsToldInOneLine(String option, String told) {
    isMisused(option, told);
  }

  @ParameterizedTest
  @CsvSource({"--queues=two,DEDICATED", "--qualities=secrecy,confidentiality-32"})
  void anUnknownNameIsToldWithThoseThatThereAre(String option, String known) {
    isMisused(option, "");
    assertThat(program.err()).contains(option.replaceAll(".*=", ""), known);
  }
}
