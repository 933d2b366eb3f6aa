package org.keywell.bench.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/** What is asked for wrongly is refused before anything is made. */
final class TablesCommandTest {
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @TempDir private Path folder = Path.of("");

  private int tables(String... arguments) {
    CommandLine program = BenchProgram.commandLine();
    program.setOut(new PrintWriter(out, true));
    program.setErr(new PrintWriter(err, true));
    return program.execute(
        Stream.concat(
                Stream.of("tables", "--out", folder.resolve("report").toString()),
                Stream.of(arguments))
            .toArray(String[]::new));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          --only 4-1                        | there is no table '4-1'
          --only 2-4,2-44                   | there is no table '2-44'
          --scale 0                         | --scale is 0.01 to 100
          --scale 101                       | --scale is 0.01 to 100
          --scale NaN                       | --scale is 0.01 to 100
          --scale few                       | 'few'
          --scale 2 --thesis-counts         | do not go together
          --profile luna                    | --profile: unknown device profile 'luna'
          --profile /nonexistent/hsm.yaml   | /nonexistent/hsm.yaml: no such file
          --lanes 0                         | --lanes is 1 to 64
          --lanes 65                        | --lanes is 1 to 64
          --work-dir /nonexistent           | --work-dir: cannot write to /nonexistent
          --threads 5                       | --threads
          """)
  void badArgumentsAreRefusedInOneLine(String arguments, String message) {
    int code = tables(arguments.split(" ", -1));

    assertThat(code).isEqualTo(2);
    assertThat(err.toString().lines()).hasSize(1);
    assertThat(err.toString()).startsWith("keywell: ").contains(message);
    assertThat(out.toString()).isEmpty();
    assertThat(folder.resolve("report")).doesNotExist();
  }

  @Test
  void withoutAnHsmItSaysWhichSettingIsMissing() {
    assertThat(System.getenv()).doesNotContainKey("KEYWELL_HSM_MODULE");

    assertThat(tables("--only", "2-4")).isEqualTo(2);
    assertThat(err.toString().lines()).hasSize(1);
    assertThat(err.toString()).contains("keywell.hsm.module is not set");
  }

  @Test
  void helpExplainsTheOptions() {
    assertThat(tables("--help")).isZero();
    assertThat(out.toString())
        .contains(List.of("--only", "--profile", "--lanes", "--scale", "--thesis-counts"));
  }
}
