package org.keywell.loadgen.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.loadgen.StubService;
import org.keywell.loadgen.StubService.Reaction;
import org.keywell.loadgen.TestChain;
import picocli.CommandLine;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The whole program against a service that is small enough to be wrong on purpose. */
@Timeout(120)
final class LoadCommandTest {
  private final StubService stub;
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @TempDir private Path folder = Path.of("");

  LoadCommandTest() throws Exception {
    stub = StubService.start(TestChain.make());
  }

  private Path csv = Path.of("");

  @BeforeEach
  void writeRamp() throws Exception {
    csv = folder.resolve("ramp.csv");
    Files.writeString(
        csv,
        """
        from_request,to_request,delay_ms,requests_per_second
        1,10,10,100
        11,40,5,200
        """);
  }

  @AfterEach
  void stop() {
    stub.close();
  }

  private int load(String... arguments) {
    CommandLine program = LoadCommand.commandLine();
    program.setOut(new PrintWriter(out, true));
    program.setErr(new PrintWriter(err, true));
    return program.execute(arguments);
  }

  private int ramp(String name, String... more) {
    List<String> arguments =
        new ArrayList<>(
            List.of(
                "ramp",
                "--url",
                stub.uri().toString(),
                "--csv",
                csv.toString(),
                "--out",
                folder.resolve(name).toString()));
    arguments.addAll(List.of(more));
    return load(arguments.toArray(String[]::new));
  }

  private JsonNode run(String name) throws Exception {
    return JsonMapper.builder()
        .build()
        .readTree(Files.readAllBytes(folder.resolve(name).resolve("run.json")));
  }

  @Test
  void aShortRampIsDrivenCheckedAndReported() throws Exception {
    int code = ramp("a", "--require", "dropped=0", "--require", "pregenerated=100%");

    assertThat(err.toString()).isEmpty();
    assertThat(code).isZero();
    assertThat(out.toString())
        .contains("signed          40 of 40", "all are right", "met             dropped=0");
    JsonNode run = run("a");
    assertThat(run.get("totals").get("signed").asInt()).isEqualTo(40);
    assertThat(run.get("simulatedProfile").isNull()).isTrue();
    assertThat(run.get("verification").get("checked").asInt()).isEqualTo(40);
    assertThat(run.get("verification").get("distinctKeys").asInt()).isEqualTo(40);
    assertThat(run.get("steps").size()).isEqualTo(2);
    assertThat(run.get("environment").get("cores").asInt()).isPositive();
    assertThat(run.get("service").get("queue").get("limit").asInt()).isEqualTo(150);
    assertThat(run.get("pool").size()).isPositive();
    List<String> rows = Files.readAllLines(folder.resolve("a").resolve("samples.csv"));
    assertThat(rows).hasSize(41);
    assertThat(rows.get(1))
        .startsWith("1,1,0,")
        .contains(",signed,,true,60,40,100,1000,2000,100,1200,500,");
  }

  @Test
  void allTheTimeIsAccountedFor() throws Exception {
    ramp("a");

    JsonNode stages = run("a").get("stages");
    assertThat(stages.valueStream().map(stage -> stage.get("stage").asString()))
        .containsExactly(
            "accept", "queue", "key", "sign", "certify", "destroy", "finish", "record", "unseen");
    assertThat(stages.get(0).get("p50").asDouble()).isCloseTo(0.06, Offset.offset(1e-3));
    assertThat(stages.get(7).get("p50").asDouble()).isCloseTo(0.5, Offset.offset(1e-3));
    assertThat(Files.readString(folder.resolve("a").resolve("report.html")))
        .contains("Where the time went", "unseen: what the service does not see");
  }

  @Test
  void theReportHoldsTheRunAsItsFileDoes() throws Exception {
    ramp("a");
    String html = Files.readString(folder.resolve("a").resolve("report.html"));
    Matcher data =
        Pattern.compile("<script type=\"application/json\" id=\"data\">(.*)</script>")
            .matcher(html);
    assertThat(data.find()).isTrue();
    assertThat(JsonMapper.shared().readTree(data.group(1))).isEqualTo(run("a"));
  }

  @Test
  void everyKindOfEndIsCountedApart() throws Exception {
    stub.behave(arrival ->
        switch (arrival % 5) {
          case 0 -> Reaction.REFUSE;
          case 1 -> Reaction.FAIL;
          case 2 -> Reaction.HANG_UP;
          case 3 -> Reaction.GARBAGE;
          default -> Reaction.SIGN;
        });

    int code = ramp("a", "--require", "dropped=0", "--require", "signed>=1");

    assertThat(code).isEqualTo(3);
    assertThat(out.toString()).contains("NOT MET         dropped=0 (it is 32)");
    JsonNode totals = run("a").get("totals");
    assertThat(totals.get("signed").asInt()).isEqualTo(8);
    assertThat(totals.get("refused").asInt()).isEqualTo(8);
    assertThat(totals.get("failed").asInt()).isEqualTo(16);
    assertThat(totals.get("connectionErrors").asInt()).isEqualTo(8);
    assertThat(totals.get("problems").get("urn:keywell:problem:queue-full").asInt()).isEqualTo(8);
  }

  @Test
  void aWrongSignatureFailsTheRun() {
    stub.behave(arrival -> arrival == 7 ? Reaction.SIGN_WRONGLY : Reaction.SIGN);

    assertThat(ramp("a")).isEqualTo(1);
    assertThat(out.toString()).contains("1 of 40 signatures or certificate chains");
  }

  @Test
  void simulatedTimesAreSaidToBeSo() throws Exception {
    stub.simulate("luna-sa-1700");

    ramp("a");

    assertThat(run("a").get("simulatedProfile").asString()).isEqualTo("luna-sa-1700");
    assertThat(out.toString()).contains("SIMULATED: luna-sa-1700");
    assertThat(Files.readString(folder.resolve("a").resolve("report.html")))
        .contains("\"simulatedProfile\":\"luna-sa-1700\"");
  }

  @Test
  void requestsNameTheRunAndThoseBeforeItAreNotMeasured() throws Exception {
    assertThat(ramp("a", "--warm-up", "5", "--test-id", "monday.1")).isZero();

    assertThat(stub.requestsOf("monday.1")).isEqualTo(40);
    assertThat(stub.requestsOf("monday.1:warm-up")).isEqualTo(5);
    assertThat(run("a").get("testId").asString()).isEqualTo("monday.1");
    assertThat(run("a").get("driver").get("warmUpRequests").asInt()).isEqualTo(5);
    assertThat(run("a").get("totals").get("due").asInt()).isEqualTo(40);
  }

  @Test
  void aServiceThatSignsNothingIsNotMeasured() {
    stub.behave(_ -> Reaction.REFUSE);

    assertThat(ramp("a", "--warm-up", "5")).isEqualTo(1);

    assertThat(err.toString())
        .contains("not one of 5 requests before the run was signed", "queue-full");
  }

  @Test
  void anUnknownKindOfKeyIsRefusedWithTheKnownOnes() {
    assertThat(ramp("a", "--key-spec", "FOO", "--test-id", "foo")).isEqualTo(2);

    assertThat(err.toString().lines()).hasSize(1);
    assertThat(err.toString())
        .contains("--key-spec 'FOO' is none of ")
        .contains(
            Arrays.stream(KeySpec.values())
                .filter(spec -> !spec.defaultScheme().signsMessages())
                .map(KeySpec::label)
                .toList());
    assertThat(stub.requestsOf("foo")).isZero();
    assertThat(folder.resolve("a")).doesNotExist();
  }

  @Test
  void aKindWithoutAPoolIsRefusedWithTheSettingThatGivesItOne() {
    assertThat(ramp("a", "--key-spec", "EC-P256", "--test-id", "ec")).isEqualTo(2);

    assertThat(err.toString().lines()).hasSize(1);
    assertThat(err.toString())
        .contains("no pool of EC-P256 keys", "keywell.pool.specs.EC-P256.max-stored");
    assertThat(stub.requestsOf("ec")).isZero();
    assertThat(folder.resolve("a")).doesNotExist();
  }

  @Test
  void tooFewKeysAreToldBeforeTheRun() {
    stub.hold(44);

    assertThat(ramp("a", "--warm-up", "5", "--test-id", "few")).isEqualTo(1);

    assertThat(err.toString().lines()).hasSize(1);
    assertThat(err.toString())
        .contains("has 44 RSA-2048 keys", "45 requests", "./keywell fill 45 --key-spec RSA-2048")
        .contains("--anyway");
    assertThat(stub.requestsOf("few:warm-up")).isZero();
    assertThat(folder.resolve("a")).doesNotExist();

    assertThat(ramp("a", "--warm-up", "5", "--anyway")).isZero();
  }

  @Test
  void keysMadeOnTheFlyAreNotCounted() {
    stub.sayMode("on-the-fly");
    stub.hold(0);

    assertThat(ramp("a")).isZero();
  }

  @Test
  void aRunThatSignedNothingFails() {
    stub.behave(_ -> Reaction.REFUSE);

    assertThat(ramp("a")).isEqualTo(1);

    assertThat(out.toString())
        .contains("signed          0 of 40", "from due        –\n", "from send       –\n");
  }

  @Test
  void twoRunsLieSideBySide() throws Exception {
    ramp("a");
    ramp("b", "--time-scale", "0.5", "--verify", "none");
    Path page = folder.resolve("both.html");
    String first = folder.resolve("a").toString();
    String second = folder.resolve("b").toString();

    assertThat(load("show", first, second, "--out", page.toString())).isZero();

    assertThat(Files.readString(page)).contains("\"name\":\"a\"", "\"name\":\"b\"");
    assertThat(load("show", first, second, "--out", page.toString())).isEqualTo(2);
    assertThat(load("show", first, folder.resolve("none").toString())).isEqualTo(2);
    assertThat(load("show", first, csv.toString(), "--out", "never")).isEqualTo(1);
  }

  @Test
  void aReportNeverReplacesAnother() {
    assertThat(ramp("a")).isZero();
    assertThat(ramp("a")).isEqualTo(1);
    assertThat(err.toString()).contains("is not empty");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--time-scale=0",
        "--time-scale=NaN",
        "--full",
        "--csv=/nonexistent",
        "--require=p98<1ms",
        "--in-flight=0",
        "--deadline=3600001",
        "--test-id=a b",
        "--warm-up=10001",
        "--verify=some",
        "--url=here",
        "--tls-key=key.pem",
        "--unknown"
      })
  void misuseEndsWithTwoAndOneLine(String option) {
    assertThat(ramp("a", option)).isEqualTo(2);
    assertThat(err.toString().lines()).hasSize(1);
    assertThat(folder.resolve("a")).doesNotExist();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "climb; unexpected argument 'climb'",
        "--unknown; unknown option '--unknown'",
        "--unknown=5; unknown option '--unknown=5'",
        "--time-scale=abc; --time-scale 'abc' is no number",
        "--in-flight=many; --in-flight 'many' is no whole number",
        "--in-flight=1e3; --in-flight '1e3' is no whole number",
        "--verify=some; --verify 'some' is none of all, sample, none",
        "--warm-up; --warm-up needs a value (N)"
      })
  void aMistakeIsToldByTheNameOfItsOption(String argument, String told) {
    assertThat(ramp("a", argument)).isEqualTo(2);
    assertThat(err.toString().strip()).isEqualTo("keywell: " + told + " (--help explains)");
  }

  @Test
  void aMissingFolderIsAskedForByItsName() {
    assertThat(load("show", "a")).isEqualTo(2);
    assertThat(err.toString().strip()).isEqualTo("keywell: B is missing (--help explains)");
  }

  @ParameterizedTest
  @CsvSource({
    "plan.json, holds a capacity plan",
    "tables.json, holds tables",
    "comparison.json, the runs of the comparison in it are in its folders on-the-fly and pooled",
    "notes.txt, holds no report of a run"
  })
  void aFolderThatHoldsNoRunIsToldForWhatItIs(String file, String told) throws Exception {
    ramp("a");
    Path other = Files.createDirectories(folder.resolve("other"));
    Files.writeString(other.resolve(file), "{}");

    assertThat(load("show", folder.resolve("a").toString(), other.toString())).isEqualTo(1);

    assertThat(err.toString().lines()).hasSize(1);
    assertThat(err.toString()).contains(other.toString(), told);
  }

  @Test
  void aBadRampNamesItsLine() throws Exception {
    Files.writeString(csv, "from_request,to_request,delay_ms,requests_per_second\n1,10,0,\n");

    assertThat(ramp("a")).isEqualTo(2);
    assertThat(err.toString()).contains("ramp.csv, line 2: delay_ms '0'");
  }

  @Test
  void noServiceIsSaidPlainly() {
    stub.close();

    assertThat(ramp("a")).isEqualTo(1);
    assertThat(err.toString()).contains("no service answers at", "./keywell up");
  }

  @Test
  void theDriversOwnRateIsMeasured() {
    assertThat(load("drive-null", "--seconds", "1", "--highest", "100")).isZero();
    assertThat(out.toString()).contains("the driver keeps up with 100 requests per second");
  }
}
