package org.keywell.loadgen.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
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
final class StorageCommandTest {
  private final Program program = new Program();

  @TempDir private Path folder = Path.of("");

  private int storage(Map<String, String> environment, String... more) {
    List<String> arguments =
        new ArrayList<>(List.of("storage", "--out", folder.resolve("report").toString()));
    arguments.addAll(List.of(more));
    return program.run(SmallService.program(folder, environment), arguments.toArray(String[]::new));
  }

  private void isToldInOneLine(String told) {
    assertThat(program.err()).startsWith("keywell: " + told).hasLineCount(1);
    assertThat(folder).isEmptyDirectory();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          --time=0     | --time is 0, expected 1 to 3600
          --rounds=101 | --rounds is 101, expected 1 to 100
          --scale=0    | --scale is 0, expected 1 to 1000
          """)
  void aMistakeIsToldInOneLine(String option, String told) {
    assertThat(storage(Map.of(), option)).isEqualTo(2);
    isToldInOneLine(told);
  }

  @Test
  void theKeyStoresSettingsAreTheRunsOwn() {
    assertThat(storage(Map.of("KEYWELL_XKS_PORT", "8443"))).isEqualTo(2);
    isToldInOneLine("this starts a service with its own settings: unset KEYWELL_XKS_PORT");
  }

  /** With root, it is a program; without, it is root. */
  @Test
  void whatIsMissingIsNamed() {
    assertThat(storage(Map.of("PATH", "/nonexistent"))).isEqualTo(2);
    isToldInOneLine(
        System.getProperty("user.name").equals("root")
            ? ""
            : "this mounts encrypted file systems, which takes Linux and root");
    assertThat(program.err()).containsAnyOf("install the package", "Linux and root");
  }
}
