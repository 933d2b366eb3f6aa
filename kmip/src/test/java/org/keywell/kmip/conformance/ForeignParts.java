package org.keywell.kmip.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/** What {@code ./keywell test --lint} sets up: kmip-go, its test cases, PyKMIP. */
final class ForeignParts {

  private ForeignParts() {}

  /** Returns the directory of the OASIS test cases; skips the test where it is missing. */
  static Path cases() {
    return linters().resolve("kmip-cases");
  }

  private static Path linters() {
    String linters = System.getenv("KEYWELL_TEST_LINTERS");
    assumeTrue(linters != null, "KEYWELL_TEST_LINTERS is not set: run ./keywell test --lint");
    return Path.of(Objects.requireNonNull(linters));
  }

  static List<String> judge(String... arguments) {
    return command("kmip-judge", arguments);
  }

  static List<String> python(String... arguments) {
    return command("python", arguments);
  }

  private static List<String> command(String program, String... arguments) {
    List<String> command = new ArrayList<>();
    command.add(linters().resolve("bin").resolve(program).toString());
    command.addAll(List.of(arguments));
    return command;
  }

  /** Returns the exit code, then what the program wrote, a line each. */
  static List<String> run(List<String> command, Path output) throws Exception {
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    assertThat(process.waitFor(120, TimeUnit.SECONDS)).isTrue();
    List<String> lines = new ArrayList<>();
    lines.add(String.valueOf(process.exitValue()));
    lines.addAll(Files.readAllLines(output));
    return lines;
  }
}
