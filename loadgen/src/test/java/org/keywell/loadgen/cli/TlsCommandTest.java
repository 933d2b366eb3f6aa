package org.keywell.loadgen.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.keywell.loadgen.service.SmallService;

/** What goes wrong before anything is measured; the acceptance tests measure. */
@Tag("process")
@Timeout(120)
final class TlsCommandTest {
  private final Program program = new Program();

  @TempDir private Path folder = Path.of("");

  private int tls(String... more) {
    List<String> arguments =
        new ArrayList<>(List.of("tls", "--out", folder.resolve("report").toString()));
    arguments.addAll(List.of(more));
    return program.run(
        SmallService.program(folder, SmallService.endingWith(1)), arguments.toArray(String[]::new));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          --time=0                      | --time is 0, expected 1 to 300
          --rounds=101                  | --rounds is 101, expected 1 to 100
          --warm-up=-1                  | --warm-up is -1, expected 0 to 300
          --sizes=1k,1g                 | --sizes: '1g' is no size; write 1k, 64m
          --suites=TLS_AES_128_CCM_SHA256 | --suites: 'TLS_AES_128_CCM_SHA256' is not one of
          --openssl=/nonexistent        | /nonexistent is missing; install OpenSSL 3
          """)
  void aMistakeIsToldInOneLine(String option, String told) {
    assertThat(tls(option)).isEqualTo(2);
    assertThat(program.err()).startsWith("keywell: " + told).hasLineCount(1);
    assertThat(folder.resolve("report")).doesNotExist();
  }

  /** Neither figures nor the servers' keys are left. */
  @Test
  void aServiceThatDoesNotStartEndsTheRun() throws Exception {
    assertThat(tls()).isEqualTo(1);
    assertThat(program.err()).contains("the start failed; the service's whole log is ");
    assertThat(folder.resolve("report")).doesNotExist();
    try (Stream<Path> left = Files.list(folder.resolve("logs"))) {
      assertThat(left.map(file -> file.getFileName().toString())).containsExactly("tls.log");
    }
  }
}
