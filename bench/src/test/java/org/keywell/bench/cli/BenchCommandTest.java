package org.keywell.bench.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.keywell.bench.suite.Goal;
import org.keywell.bench.suite.Part;
import org.keywell.bench.suite.PartId;
import org.keywell.bench.suite.PartResult;
import org.keywell.bench.suite.Ratio;
import org.keywell.loadgen.service.ServiceProgram;
import picocli.CommandLine;

/** The suite with parts that measure nothing; what is asked for wrongly is refused before. */
final class BenchCommandTest {
  private static final String QUIET = "0.25";

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @TempDir private Path home = Path.of("");

  private int bench(Map<String, String> more, String... arguments) {
    Map<String, String> environment = new HashMap<>(Map.of("KEYWELL_HOME", home.toString()));
    environment.putAll(more);
    ServiceProgram service =
        new ServiceProgram(
            List.of("/bin/false"), environment, home.resolve("logs"), Redirect.DISCARD);
    return execute(
        BenchProgram.commandLine(
            () -> service,
            _ ->
                Map.of(
                    PartId.B, new Fixed(0.4), PartId.D, new Fixed(20), PartId.L, new Fixed(0.8))),
        arguments);
  }

  private int execute(CommandLine program, String... arguments) {
    program.setOut(new PrintWriter(out, true));
    program.setErr(new PrintWriter(err, true));
    return program.execute(
        Stream.concat(Stream.of("bench"), Stream.of(arguments)).toArray(String[]::new));
  }

  private static Map<String, String> load(String average) {
    return Map.of("KEYWELL_LOADAVERAGE", average);
  }

  private String report() {
    return home.resolve("report").toString();
  }

  private String figures() throws IOException {
    return Files.readString(home.resolve("report/bench.json"));
  }

  /** A part that knows its result. A negative one fails. */
  private record Fixed(double ratio) implements Part {
    @Override
    public PartResult measure(int rounds) throws IOException {
      if (ratio < 0) {
        throw new IOException("it does not go");
      }
      return new PartResult(
          List.of(new Ratio("compared", Collections.nCopies(rounds, ratio), Goal.NONE)), List.of());
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          --only b,z               | no part 'z'; there are a to
          --rounds 0               | --rounds is 1 to 20
          --rounds 21              | --rounds is 1 to 20
          --scale 0.001            | --scale is 0.01 to 10
          --requests 100           | --requests
          --rounds 1               | there is no service
          """)
  void badArgumentsAreRefusedInOneLine(String arguments, String message) {
    CommandLine program =
        BenchProgram.commandLine(() -> {
          throw new IllegalArgumentException("there is no service");
        });

    assertThat(execute(program, arguments.split(" ", -1))).isEqualTo(2);

    assertThat(err.toString().lines()).hasSize(1);
    assertThat(err.toString()).startsWith("keywell: ").contains(message);
    assertThat(out.toString()).isEmpty();
  }

  @Test
  void helpExplainsTheOptions() {
    assertThat(bench(Map.of(), "--help")).isZero();
    assertThat(out.toString()).contains("--only", "--rounds", "--busy", "--out", "--scale");
  }

  @Test
  void theUsualPartsAreMeasuredOnAQuietMachine() throws IOException {
    assertThat(bench(load(QUIET), "--rounds", "3", "--out", report())).isZero();

    assertThat(out.toString())
        .contains("| b | compared", "| d | compared", "bench.json")
        .doesNotContain("| l |");
    assertThat(figures()).contains("\"busy\" : false", "\"rounds\" : 3", "\"loadAverage\" : 0.25");
  }

  @Test
  void someCanBeChosen() {
    assertThat(bench(load(QUIET), "--only", "d,l", "--out", report())).isZero();

    assertThat(out.toString()).contains("| d | compared", "| l | compared").doesNotContain("| b |");
  }

  @Test
  void aBusyMachineIsNotMeasured() {
    assertThat(bench(load("1.01"), "--out", report())).isEqualTo(2);

    assertThat(err.toString()).contains("load average is 1.01", "--busy");
    assertThat(home.resolve("report")).doesNotExist();
    assertThat(out.toString()).isEmpty();
  }

  @Test
  void aBusyMachineIsMeasuredIfItIsSaidAndTheResultSaysSo() throws IOException {
    assertThat(bench(load("1.01"), "--busy", "--out", report())).isZero();

    assertThat(out.toString()).contains("Not to be published");
    assertThat(figures()).contains("\"busy\" : true");
  }

  @Test
  void timesOfASimulatedDeviceAreNotHeldAgainstTheHsm() {
    assertThat(bench(Map.of("KEYWELL_HSM_PROFILE", "luna-sa-1700"))).isEqualTo(2);

    assertThat(err.toString()).contains("unset KEYWELL_HSM_PROFILE");
  }

  @Test
  void aPartThatFailsMakesTheRunFailAndTheOthersAreReported() throws IOException {
    Map<String, String> environment =
        Map.of("KEYWELL_HOME", home.toString(), "KEYWELL_LOADAVERAGE", QUIET);
    ServiceProgram service =
        new ServiceProgram(List.of("/bin/false"), environment, home, Redirect.DISCARD);

    int ended =
        execute(
            BenchProgram.commandLine(
                () -> service, _ -> Map.of(PartId.B, new Fixed(-1), PartId.D, new Fixed(20))),
            "--out",
            report());

    assertThat(ended).isEqualTo(1);
    assertThat(out.toString()).contains("| d | compared", "b was not measured: it does not go");
    assertThat(figures()).contains("\"failure\" : \"it does not go\"");
  }
}
