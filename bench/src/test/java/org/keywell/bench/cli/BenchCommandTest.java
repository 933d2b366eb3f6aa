package org.keywell.bench.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/** What is asked for wrongly is refused before anything is made. */
final class BenchCommandTest {
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int bench(String... arguments) {
    CommandLine program =
        BenchProgram.commandLine(() -> {
          throw new IllegalArgumentException("there is no service");
        });
    program.setOut(new PrintWriter(out, true));
    program.setErr(new PrintWriter(err, true));
    return program.execute(
        Stream.concat(Stream.of("bench"), Stream.of(arguments)).toArray(String[]::new));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          --requests 99        | --requests is a number from 100 on
          --requests many      | 'many'
          --callers 0          | --callers is 1 to 1000
          --callers 1001       | --callers is 1 to 1000
          --key-spec EC-P256   | --key-spec goes with --scrape and --forms only
          --scrape --forms     | two measurements
          --rounds 3           | --rounds
          --requests 100       | there is no service
          """)
  void badArgumentsAreRefusedInOneLine(String arguments, String message) {
    assertThat(bench(arguments.split(" ", -1))).isEqualTo(2);

    assertThat(err.toString().lines()).hasSize(1);
    assertThat(err.toString()).startsWith("keywell: ").contains(message);
    assertThat(out.toString()).isEmpty();
  }

  @Test
  void helpExplainsTheOptions() {
    assertThat(bench("--help")).isZero();
    assertThat(out.toString())
        .contains("--requests", "--callers", "--scrape", "--forms", "--key-spec");
  }
}
