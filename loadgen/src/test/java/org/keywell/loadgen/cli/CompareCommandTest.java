package org.keywell.loadgen.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
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

/** From the options to the report, with small processes as services. */
@Tag("process")
@Timeout(120)
final class CompareCommandTest {
  private final Program program = new Program();

  @TempDir private Path folder = Path.of("");

  @BeforeEach
  void writeRamp() throws Exception {
    Files.writeString(
        folder.resolve("ramp.csv"),
        """
        from_request,to_request,delay_ms,requests_per_second
        1,10,10,100
        11,40,5,200
        """);
  }

  private int compare(Map<String, String> services, String... more) {
    List<String> arguments =
        new ArrayList<>(
            List.of(
                "compare",
                "--test-id",
                "it",
                "--csv",
                folder.resolve("ramp.csv").toString(),
                "--out",
                folder.resolve("report").toString()));
    arguments.addAll(List.of(more));
    return program.run(SmallService.program(folder, services), arguments.toArray(String[]::new));
  }

  private List<String> log(String mode) throws Exception {
    return Files.readAllLines(folder.resolve("logs/compare-" + mode + ".log"));
  }

  @Test
  void bothRunsAreMadeAndLaidSideBySide() throws Exception {
    int code =
        compare(
            SmallService.signing("on-the-fly", 34, Reaction.REFUSE),
            "--warm-up=4",
            "--profile=luna-sa-1700",
            "--require=dropped=0",
            "--require=on-the-fly.dropped=10");

    assertThat(program.err()).isEmpty();
    assertThat(code).isZero();
    // 40 of the ramp, 4 to warm up, 50 to spare.
    assertThat(Files.readString(folder.resolve("filled"))).isEqualTo("94 RSA-2048 null");
    assertThat(program.out())
        .contains(
            "== 2. Keys: 94 of the kind RSA-2048, stored at the HSM's own speed",
            "== 3. The traditional system: a key made for each request",
            "== 4. The key pool: 94 keys are loaded into the HSM first",
            "== 5. Both side by side",
            "met             dropped=0",
            "met             on-the-fly.dropped=10");
    assertThat(log("on-the-fly"))
        .contains("40 requests of it:on-the-fly", "4 requests of it:on-the-fly:warm-up")
        .contains("ended in order");
    assertThat(log("pooled")).contains("40 requests of it:pooled", "ended in order");
    Path report = folder.resolve("report");
    JsonNode both =
        JsonMapper.builder().build().readTree(report.resolve("comparison.json").toFile());
    assertThat(both.get("onTheFly").get("totals").get("dropped").asInt()).isEqualTo(10);
    assertThat(both.get("pooled").get("totals").get("dropped").asInt()).isZero();
    assertThat(both.get("throughputFactor").asDouble()).isPositive();
    assertThat(both.get("pooled").get("serviceSettings").toString())
        .contains("KEYWELL_HSM_PROFILE=luna-sa-1700", "KEYWELL_POOL_MODE=pooled");
    assertThat(Files.readString(report.resolve("report.html")))
        .contains("the traditional system and the key pool", "\"throughputFactor\":");
    assertThat(report.resolve("on-the-fly").resolve("samples.csv")).exists();
    assertThat(report.resolve("pooled").resolve("run.json")).exists();

    assertThat(compare(Map.of())).isEqualTo(1);
    assertThat(program.err()).contains("a report never replaces another");
  }

  @Test
  void whatIsNotMetEndsWithThree() {
    assertThat(compare(Map.of(), "--warm-up=0", "--require=factor>1000")).isEqualTo(3);
  }

  @Test
  void aRunThatSignedNothingFailsTheComparison() {
    assertThat(compare(SmallService.signing("on-the-fly", 0, Reaction.REFUSE), "--warm-up=0"))
        .isEqualTo(1);
  }

  @Test
  void aRunAgainstTheWrongKindOfServiceIsNotCompared() {
    assertThat(compare(SmallService.sayingMode("pooled"), "--warm-up=0")).isEqualTo(1);

    assertThat(program.err()).contains("against a service in mode pooled");
  }

  @Test
  void keysThatCannotBeMadeEndItWithTheirCode() {
    assertThat(compare(SmallService.endingWith(2))).isEqualTo(2);

    assertThat(program.out()).doesNotContain("== 3.");
  }

  @Test
  void withoutTheLauncherItSaysWhatToType() {
    assertThat(program.run("compare", "--out", folder.resolve("report").toString())).isEqualTo(2);

    assertThat(program.err()).contains("use ./keywell");
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
        "--url=http://127.0.0.1:8420",
        "--key-spec=FOO",
        "--unknown"
      })
  void misuseEndsWithTwoAndOneLine(String option) {
    assertThat(compare(Map.of(), option)).isEqualTo(2);

    assertThat(program.err().lines()).hasSize(1);
    assertThat(program.out()).isEmpty();
  }
}
