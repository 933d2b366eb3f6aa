package org.keywell.loadgen.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.keywell.loadgen.StubService;
import org.keywell.loadgen.StubService.Reaction;
import org.keywell.loadgen.TestChain;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The stages that the launcher calls one after the other. */
@Timeout(120)
final class OverloadCommandTest {
  private final StubService stub;
  private final Program program = new Program();

  @TempDir private Path folder = Path.of("");

  OverloadCommandTest() throws Exception {
    stub = StubService.start(TestChain.make());
  }

  @AfterEach
  void stop() {
    stub.close();
  }

  private int overload(String stage, String... more) {
    List<String> arguments =
        new ArrayList<>(
            List.of(
                "overload",
                "--stage",
                stage,
                "--time",
                "20260102-030405",
                "--url",
                stub.uri().toString(),
                "--out",
                folder.resolve("report").toString()));
    arguments.addAll(List.of(more));
    return program.run(arguments.toArray(String[]::new));
  }

  private int smallOverload(String... more) {
    List<String> arguments =
        new ArrayList<>(List.of("--base-requests=50", "--base-callers=4", "--warm-up=3"));
    arguments.addAll(List.of(more));
    return overload("run", arguments.toArray(String[]::new));
  }

  private JsonNode run() throws Exception {
    return JsonMapper.builder()
        .build()
        .readTree(folder.resolve("report").resolve("run.json").toFile());
  }

  @Test
  void thePlanHasKeysForAllTestsAndRoomForTheirQueues() {
    assertThat(overload("plan", "--profile", "luna-sa-1700-remote")).isZero();

    // Three tests of 3,000, 400 for the base rate, 20 to warm up, 50 to spare.
    assertThat(program.out().lines())
        .contains(
            "keys 9470",
            "stop-seconds 630",
            "set KEYWELL_HSM_PROFILE=luna-sa-1700-remote",
            "set KEYWELL_POOL_SPECS_RSA2048_LOADEDCAPACITY=9470",
            "set KEYWELL_SIGN_MAXDEADLINE=600s",
            "set KEYWELL_SIGN_QUEUELIMIT=3000",
            "set SPRING_LIFECYCLE_TIMEOUTPERSHUTDOWNPHASE=610s");
  }

  @Test
  void secondsOrRequestsAndAScaleMakeTheTestsSize() {
    assertThat(overload("plan", "--rates=40,50", "--seconds=10,20", "--scale=0.1")).isZero();
    assertThat(overload("plan", "--rates=2x", "--requests=4800")).isZero();

    assertThat(program.out().lines())
        .contains("keys " + (40 + 100 + 470), "set KEYWELL_SIGN_QUEUELIMIT=100")
        .contains("keys " + (4_800 + 470), "set SERVER_TOMCAT_MAXCONNECTIONS=9600");
  }

  @Test
  void eachTestIsPredictedMadeAndCompared() throws Exception {
    int code = smallOverload("--rates=3x,6x", "--requests=60", "--require", "dropped=0");

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
    assertThat(stub.requestsOf("overload-20260102-030405:warm-up")).isEqualTo(3);
    assertThat(stub.requestsOf("overload-20260102-030405:base-rate")).isEqualTo(50);
    assertThat(stub.requestsOf("overload-20260102-030405:test-2")).isEqualTo(60);
    Path report = folder.resolve("report");
    assertThat(report.resolve("test-1").resolve("samples.csv")).exists();
    assertThat(report.resolve("test-2").resolve("report.html")).exists();
    assertThat(Files.readString(report.resolve("report.html")))
        .contains("test-1", "<svg", "role=\"img\"")
        .doesNotContain("src=", "href=", "url(", "@import", "<script");
  }

  @Test
  void theThesissRatesGiveWayToTheSameMultiplesOfAHigherBaseRate() throws Exception {
    assertThat(smallOverload("--requests=20")).isZero();

    double baseRate = run().get("baseRate").get("perSecond").asDouble();
    // A stub that signs fewer than 40 a second on a busy machine takes the thesis's own rates.
    double first = run().get("tests").get(0).get("perSecond").asDouble();
    assertThat(first).isGreaterThan(1.01 * baseRate);
    assertThat(run().get("tests").size()).isEqualTo(3);
  }

  @Test
  void aRateThatTheServiceKeepsUpWithIsRefused() {
    assertThat(smallOverload("--rates=0.1", "--requests=10")).isEqualTo(1);

    assertThat(program.err()).contains("no queue grows at 0.1 requests per second", "1.5x");
  }

  @Test
  void aServiceThatSignsTooLittleHasNoBaseRate() {
    stub.behave(arrival -> arrival <= 3 ? Reaction.SIGN : Reaction.REFUSE);

    assertThat(smallOverload("--requests=20")).isEqualTo(1);

    assertThat(program.err()).contains("the base rate is not known: only 0 of 50");
  }

  @Test
  void aTestThatSignedNothingFails() {
    stub.behave(arrival -> arrival > 53 ? Reaction.FAIL : Reaction.SIGN);

    assertThat(smallOverload("--rates=3x", "--requests=20")).isEqualTo(1);
  }

  @Test
  void whatIsNotAccurateEnoughEndsWithThree() throws Exception {
    // What comes after the warm-up, the trial of the base rate, and the first request of the test.
    stub.behave(arrival -> arrival > 54 ? Reaction.FAIL : Reaction.SIGN);

    assertThat(smallOverload("--rates=3x", "--requests=20", "--require=accuracy>=1%")).isEqualTo(3);

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
    assertThat(overload("plan", options.split(" ", -1))).isEqualTo(2);

    assertThat(program.err().lines()).hasSize(1);
    assertThat(program.out()).isEmpty();
  }
}
