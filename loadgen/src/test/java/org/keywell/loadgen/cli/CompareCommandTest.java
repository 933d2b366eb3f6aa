package org.keywell.loadgen.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
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
final class CompareCommandTest {
  private final StubService stub;
  private final Program program = new Program();

  @TempDir private Path folder = Path.of("");

  CompareCommandTest() throws Exception {
    stub = StubService.start(TestChain.make());
  }

  @BeforeEach
  void writeRamp() throws Exception {
    Files.writeString(
        folder.resolve("ramp.csv"),
        """
        from_request,to_request,delay_ms,requests_per_second
        1,10,20,50
        11,40,10,100
        """);
  }

  @AfterEach
  void stop() {
    stub.close();
  }

  private int compare(String stage, String... more) {
    List<String> arguments =
        new ArrayList<>(
            List.of(
                "compare",
                "--stage",
                stage,
                "--time",
                "20260102-030405",
                "--url",
                stub.uri().toString(),
                "--csv",
                folder.resolve("ramp.csv").toString(),
                "--out",
                folder.resolve("report").toString()));
    arguments.addAll(List.of(more));
    return program.run(arguments.toArray(String[]::new));
  }

  @Test
  void thePlanSaysWhatTheLauncherHasToPrepare() {
    assertThat(compare("plan", "--profile", "luna-sa-1700", "--warm-up", "30")).isZero();

    // 40 of the ramp, 30 to warm up, 50 to spare.
    assertThat(program.out().lines())
        .containsExactlyInAnyOrder(
            "key-spec RSA-2048",
            "keys 120",
            "stop-seconds 90",
            "set KEYWELL_HSM_PROFILE=luna-sa-1700",
            "set KEYWELL_POOL_SPECS_RSA2048_BATCHSIZE=120",
            "set KEYWELL_POOL_SPECS_RSA2048_LOADEDCAPACITY=120",
            "set KEYWELL_POOL_SPECS_RSA2048_LOWWATER=1",
            "set KEYWELL_POOL_SPECS_RSA2048_MAXSTORED=0",
            "set KEYWELL_SIGN_HANDLERTHREADS=2",
            "set KEYWELL_SIGN_QUEUELIMIT=50");
    assertThat(folder.resolve("report")).doesNotExist();
  }

  @Test
  void bothRunsAreMadeAndLaidSideBySide() throws Exception {
    stub.sayMode("on-the-fly");
    stub.behave(arrival -> arrival % 4 == 0 ? Reaction.REFUSE : Reaction.SIGN);
    assertThat(compare("on-the-fly", "--warm-up", "4")).isZero();
    stub.sayMode("pooled");
    stub.behave(_ -> Reaction.SIGN);
    assertThat(compare("pooled", "--warm-up", "4")).isZero();

    assertThat(compare("report", "--require", "dropped=0", "--require", "on-the-fly.dropped=10"))
        .isZero();

    assertThat(program.err()).isEmpty();
    assertThat(program.out())
        .contains("met             dropped=0", "met             on-the-fly.dropped=10");
    assertThat(stub.requestsOf("compare-20260102-030405:on-the-fly")).isEqualTo(40);
    assertThat(stub.requestsOf("compare-20260102-030405:on-the-fly:warm-up")).isEqualTo(4);
    assertThat(stub.requestsOf("compare-20260102-030405:pooled")).isEqualTo(40);
    Path report = folder.resolve("report");
    JsonNode both =
        JsonMapper.builder().build().readTree(report.resolve("comparison.json").toFile());
    assertThat(both.get("onTheFly").get("totals").get("dropped").asInt()).isEqualTo(10);
    assertThat(both.get("pooled").get("totals").get("dropped").asInt()).isZero();
    assertThat(both.get("throughputFactor").asDouble()).isPositive();
    assertThat(Files.readString(report.resolve("report.html")).replace(stub.uri().toString(), ""))
        .contains("10 of 40 requests were dropped", "<svg")
        .doesNotContain("http:", "https:", "src=", "href=", "url(", "@import", "<script");
    assertThat(report.resolve("on-the-fly").resolve("samples.csv")).exists();
    assertThat(report.resolve("pooled").resolve("run.json")).exists();

    assertThat(compare("report", "--require", "factor>1000")).isEqualTo(3);
    assertThat(compare("plan")).isEqualTo(1);
    assertThat(program.err()).contains("a report never replaces another");
  }

  @Test
  void aRunThatSignedNothingFailsTheComparison() {
    stub.sayMode("on-the-fly");
    stub.behave(_ -> Reaction.REFUSE);
    assertThat(compare("on-the-fly", "--warm-up", "0")).isZero();
    stub.sayMode("pooled");
    stub.behave(_ -> Reaction.SIGN);
    assertThat(compare("pooled", "--warm-up", "0")).isZero();

    assertThat(compare("report")).isEqualTo(1);
  }

  @Test
  void aRunAgainstTheWrongKindOfServiceIsNotCompared() {
    assertThat(compare("on-the-fly", "--warm-up", "0")).isZero();
    assertThat(compare("pooled", "--warm-up", "0")).isZero();

    assertThat(compare("report")).isEqualTo(1);

    assertThat(program.err()).contains("against a service in mode pooled");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--queue-limit=0",
        "--queue-limit=many",
        "--warm-up=-1",
        "--require=factor>2%",
        "--require=slow.p99<1ms",
        "--deadline=0",
        "--time-scale=0",
        "--full",
        "--stage=plan",
        "--key-spec=FOO",
        "--unknown"
      })
  void misuseEndsWithTwoAndOneLine(String option) {
    assertThat(compare("plan", option)).isEqualTo(2);

    assertThat(program.err().lines()).hasSize(1);
    assertThat(program.out()).isEmpty();
  }
}
