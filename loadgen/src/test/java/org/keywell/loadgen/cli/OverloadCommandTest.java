package org.keywell.loadgen.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.keywell.loadgen.StubService.Reaction;
import org.keywell.loadgen.service.SmallService;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** From the options to the report, with a small process as the service. */
@Tag("process")
@Timeout(120)
final class OverloadCommandTest {
  private final Program program = new Program();

  @TempDir private Path folder = Path.of("");

  private int overload(Map<String, String> service, String... more) {
    List<String> arguments =
        new ArrayList<>(
            List.of("overload", "--test-id", "it", "--out", folder.resolve("report").toString()));
    arguments.addAll(List.of(more));
    return program.run(SmallService.program(folder, service), arguments.toArray(String[]::new));
  }

  private int smallOverload(Map<String, String> service, String... more) {
    List<String> arguments =
        new ArrayList<>(List.of("--base-requests=50", "--base-callers=4", "--warm-up=3"));
    arguments.addAll(List.of(more));
    return overload(service, arguments.toArray(String[]::new));
  }

  private JsonNode run() throws Exception {
    return JsonMapper.builder()
        .build()
        .readTree(folder.resolve("report").resolve("run.json").toFile());
  }

  @Test
  void secondsOrRequestsAndAScaleMakeTheTestsSize() throws Exception {
    // Ends when the keys are made: 40 and 100, 400 for the base rate, 20 to warm up, 50 to spare.
    assertThat(
            overload(
                SmallService.endingAfterKeys(), "--rates=40,50", "--seconds=10,20", "--scale=0.1"))
        .isEqualTo(1);
    assertThat(filled()).startsWith("610 ");
    assertThat(overload(SmallService.endingAfterKeys(), "--rates=2x", "--requests=4800"))
        .isEqualTo(1);
    assertThat(filled()).startsWith("5270 ");
    assertThat(overload(SmallService.endingAfterKeys())).isEqualTo(1);
    assertThat(filled()).startsWith("9470 ");
  }

  private String filled() throws Exception {
    return Files.readString(folder.resolve("filled"));
  }

  @Test
  void eachTestIsPredictedMadeAndCompared() throws Exception {
    int code = smallOverload(Map.of(), "--rates=3x,6x", "--requests=60", "--require", "dropped=0");

    assertThat(program.err()).isEmpty();
    assertThat(code).isZero();
    JsonNode run = run();
    double baseRate = run.get("baseRate").get("perSecond").asDouble();
    assertThat(baseRate).isPositive();
    assertThat(run.get("tests").size()).isEqualTo(2);
    assertThat(run.get("interrupted").asBoolean()).isFalse();
    for (JsonNode test : run.get("tests")) {
      assertThat(test.get("signed").asInt()).isEqualTo(60);
      assertThat(test.get("predicted").get("queue").asDouble()).isBetween(20.0, 60.0);
      assertThat(test.get("actualQueue").asInt()).isBetween(1, 60);
      assertThat(test.get("actualLatencySeconds").asDouble()).isPositive();
      assertThat(test.get("polledQueue").asInt()).isEqualTo(2);
    }
    assertThat(program.out())
        .contains("Test 1: CR ", "Test 2: CR ", "thesis 3", "met             dropped=0 (it is 0)");
    assertThat(Files.readAllLines(folder.resolve("logs/overload.log")))
        .contains("3 requests of it:warm-up", "50 requests of it:base-rate")
        .contains("60 requests of it:test-2", "ended in order");
    Path report = folder.resolve("report");
    assertThat(report.resolve("test-1").resolve("samples.csv")).exists();
    assertThat(report.resolve("test-2").resolve("report.html")).exists();
    assertThat(Files.readString(report.resolve("report.html")))
        .contains("Keywell load: overload", "\"baseRate\":");
  }

  @Test
  void theThesissRatesGiveWayToTheSameMultiplesOfAHigherBaseRate() throws Exception {
    assertThat(smallOverload(Map.of(), "--requests=20")).isZero();

    double baseRate = run().get("baseRate").get("perSecond").asDouble();
    // A stub that signs fewer than 40 a second on a busy machine takes the thesis's own rates.
    double first = run().get("tests").get(0).get("perSecond").asDouble();
    assertThat(first).isGreaterThan(1.01 * baseRate);
    assertThat(run().get("tests").size()).isEqualTo(3);
  }

  @Test
  void aRateThatTheServiceKeepsUpWithIsRefused() {
    assertThat(smallOverload(Map.of(), "--rates=0.1", "--requests=10")).isEqualTo(1);

    assertThat(program.err()).contains("no queue grows at 0.1 requests per second", "1.5x");
  }

  @Test
  void aServiceThatSignsTooLittleHasNoBaseRate() {
    assertThat(smallOverload(SmallService.signing("pooled", 3, Reaction.REFUSE), "--requests=20"))
        .isEqualTo(1);

    assertThat(program.err()).contains("the base rate is not known: only 0 of 50");
  }

  @Test
  void aTestThatSignedNothingFails() {
    assertThat(
            smallOverload(
                SmallService.signing("pooled", 53, Reaction.FAIL), "--rates=3x", "--requests=20"))
        .isEqualTo(1);
  }

  @Test
  void whatIsNotAccurateEnoughEndsWithThree() throws Exception {
    // What comes after the warm-up, the trial of the base rate, and the first request of the test.
    assertThat(
            smallOverload(
                SmallService.signing("pooled", 54, Reaction.FAIL),
                "--rates=3x",
                "--requests=20",
                "--require=accuracy>=1%"))
        .isEqualTo(3);

    assertThat(run().get("tests").get(0).get("latencyAccuracy").isNull()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--rates=0",
        "--rates=1x",
        "--rates=40,fast",
        "--seconds=10",
        "--rates=2x --seconds=10",
        "--rates=40,50 --seconds=10",
        "--requests=9",
        "--requests=100001",
        "--scale=0",
        "--scale=0.001",
        "--base-requests=49",
        "--base-callers=1",
        "--base-callers=200",
        "--in-flight=2999",
        "--require=p99<1ms",
        "--require=accuracy>=98.6",
        "--warm-up=x"
      })
  void misuseEndsWithTwoAndOneLine(String options) {
    assertThat(overload(Map.of(), options.split(" ", -1))).isEqualTo(2);

    assertThat(program.err().lines()).hasSize(1);
    assertThat(program.out()).isEmpty();
  }
}
