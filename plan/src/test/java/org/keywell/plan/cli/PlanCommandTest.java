package org.keywell.plan.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.keywell.plan.Setting;
import picocli.CommandLine;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

final class PlanCommandTest {
  private static final JsonMapper JSON = JsonMapper.builder().build();

  private final StringWriter err = new StringWriter();

  @TempDir private Path folder = Path.of("");

  private record Run(int code, String out) {}

  private Run plan(String... arguments) {
    StringWriter out = new StringWriter();
    CommandLine program = PlanCommand.commandLine();
    program.setOut(new PrintWriter(out, true));
    program.setErr(new PrintWriter(err, true));
    return new Run(program.execute(arguments), out.toString());
  }

  private Path file(String name, String text) throws Exception {
    return Files.writeString(folder.resolve(name), text);
  }

  private String weekCsv() {
    return "hour,mon,tue,wed,thu,fri,sat,sun\n"
        + IntStream.range(0, 24)
            .mapToObj(h -> h + ",1,1.5,2,0,30," + h + ",0")
            .collect(Collectors.joining("\n"));
  }

  @Test
  void theDefaultIsTheThesissCase() {
    Run run = plan();

    assertThat(err.toString()).isEmpty();
    assertThat(run.code()).isZero();
    assertThat(run.out())
        .contains(
            "peak-rate         50/s *",
            "BR = 1.44/s",
            "BR = 50/s",
            "35 hold the peak, 13 the mean",
            "1 for signing, 4 for loading, 16 for generating",
            "The thesis's case",
            "9.38")
        .doesNotContain("NaN", "Infinity", "null");
    assertThat(run.out().lines()).hasSizeLessThanOrEqualTo(62);
    assertThat(run.out().lines()).allSatisfy(l -> assertThat(l.length()).isLessThan(110));
  }

  @Test
  void theThesissCaseIsToldOfNoOtherInput() {
    Run run = plan("--peak-rate", "40");

    assertThat(run.out()).contains("peak-rate         40/s  ").doesNotContain("The thesis's case");
  }

  @Test
  void aPlansInputMakesTheSamePlanAgain() throws Exception {
    Run first = plan("--json", "--peak-rate", "7.5", "--peak-hours", "9-10,14-15", "--hsms", "3");
    JsonNode json = JSON.readTree(first.out());
    assertThat(json.get("schemaVersion").asInt()).isEqualTo(1);
    assertThat(json.get("input").get("peakRatePerSecond").asDouble()).isEqualTo(7.5);
    assertThat(json.get("defaults").toString())
        .contains("\"queueLimit\"")
        .doesNotContain("peakHours", "hsms\"");

    Path input = file("plan-input.json", json.get("input").toString());
    JsonNode again = JSON.readTree(plan("--json", "--input", input.toString()).out());

    assertThat(again.get("defaults").isEmpty()).isTrue();
    assertThat(((ObjectNode) again).without("defaults"))
        .isEqualTo(((ObjectNode) json).without("defaults"));
  }

  @Test
  void aWeekOfRatesMakesTheSamePlanAsItsTable() throws Exception {
    Path csv = file("week.csv", weekCsv());
    JsonNode json = JSON.readTree(plan("--json", "--week", csv.toString()).out());
    assertThat(json.get("input").get("week").get("fri").get(0).asDouble()).isEqualTo(30);
    assertThat(json.get("demand").get("highestPerSecond").asDouble()).isEqualTo(30);
    // 24 x (1 + 1.5 + 2 + 0 + 30 + 0) + (0 + 1 + ... + 23) = 828 + 276 hours' rates.
    assertThat(json.get("demand").get("weekKeys").asDouble()).isEqualTo(1_104 * 3_600.0);

    Path input = file("plan-input.json", json.get("input").toString());
    Path week = file("week.json", json.get("input").get("week").toString());

    assertThat(JSON.readTree(plan("--json", "--input", input.toString()).out()).get("pool"))
        .isEqualTo(json.get("pool"));
    assertThat(JSON.readTree(plan("--json", "--week", week.toString()).out())).isEqualTo(json);
  }

  @Test
  void optionsGoBeforeTheFile() throws Exception {
    Path input = file("in.json", "{\"peakRatePerSecond\": 20, \"peakHours\": 4, \"hsms\": 2}");

    JsonNode json =
        JSON.readTree(plan("--json", "--input", input.toString(), "--peak-rate", "30").out());

    assertThat(json.get("input").get("peakRatePerSecond").asDouble()).isEqualTo(30);
    assertThat(json.get("input").get("peakHours").asString()).isEqualTo("4");
    assertThat(json.get("input").get("hsms").asInt()).isEqualTo(2);
  }

  @Test
  void theFolderHoldsThePlanAndItsPage() throws Exception {
    Path out = folder.resolve("out");

    Run run = plan("--out", out.toString(), "--hsms", "16");

    assertThat(run.code()).isZero();
    assertThat(run.out()).endsWith(out.resolve("plan.html") + System.lineSeparator());
    JsonNode json = JSON.readTree(Files.readString(out.resolve("plan.json")));
    assertThat(json.get("pool").get("sustainable").asBoolean()).isTrue();
    assertThat(json.get("week").get("depthKeys").size()).isEqualTo(169);
    String html = Files.readString(out.resolve("plan.html"));
    assertThat(html)
        .contains(
            "<h1>Keywell plan</h1>", "[\"hsms\",\"16, given: HSMs to plan for", "\"peak-rate\"");
    assertThat(out.toFile().list()).containsExactlyInAnyOrder("plan.html", "plan.json");

    assertThat(plan("--out", out.toString()).code()).isEqualTo(2);
    assertThat(err.toString()).contains("--out: ", "is not empty");
  }

  /** Each setting refuses what it cannot use, in one line that names its option. */
  @Test
  void everyOptionNamesItselfInAMisuse() {
    for (Setting setting : Setting.values()) {
      err.getBuffer().setLength(0);

      Run run = plan(setting.option(), "-7x");

      assertThat(run.code()).as(setting.option()).isEqualTo(2);
      assertThat(run.out()).isEmpty();
      assertThat(err.toString().lines()).hasSize(1);
      assertThat(err.toString()).startsWith("keywell: " + setting.option()).contains("-7x");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "--peak-rate, 0",
    "--peak-rate, NaN",
    "--peak-rate, 1e6",
    "--lanes, 1.5",
    "--lanes, 0",
    "--signing, 0",
    "--queue-limit, 0",
    "--hsms, 10001",
    "--peak-hours, 9",
    "--business-days, someday",
    "--input, /nonexistent",
    "--week, /nonexistent"
  })
  void misuseEndsWithTwoAndOneLine(String option, String value) {
    Run run = plan(option, value);

    assertThat(run.code()).isEqualTo(2);
    assertThat(run.out()).isEmpty();
    assertThat(err.toString().lines()).hasSize(1);
    assertThat(err.toString()).contains(option, value);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{'peakRate': 50}                  | unknown key 'peakRate'",
        "{'peakRatePerSecond': '50'}       | peakRatePerSecond is a number, not \"50\"",
        "{'peakRatePerSecond': null}       | peakRatePerSecond is a number, not null",
        "{'businessDays': 5}               | businessDays is a text, not 5",
        "{'peakRatePerSecond': 0}          | peakRatePerSecond in ",
        "{'lanes': 2.5}                    | lanes in ",
        "{'lanes': 2, 'lanes': 3}          | Duplicate",
        "{'lanes': 2} {}                   | line 1: ",
        "{'week': {'mon': []}}             | a week has the keys mon to sun",
        "[]                                | is not a JSON object",
        "{                                 | line 1: "
      })
  void aBadFileNamesWhatIsWrong(String text, String problem) throws Exception {
    Path input = file("in.json", text.replace('\'', '"'));

    assertThat(plan("--input", input.toString()).code()).isEqualTo(2);
    assertThat(err.toString().lines()).hasSize(1);
    assertThat(err.toString()).contains("in.json", problem);
  }

  @Test
  void aWeekAndAProfileDoNotGoTogether() throws Exception {
    Path csv = file("week.csv", weekCsv());

    assertThat(plan("--week", csv.toString(), "--other-share", "0").code()).isEqualTo(2);
    assertThat(err.toString())
        .startsWith("keywell: --other-share does not go together with a week's own rates");
  }

  @Test
  void aBadWeekNamesItsFileAndLine() throws Exception {
    Path csv = file("week.csv", weekCsv().replace("5,1,1.5", "5,1,much"));

    assertThat(plan("--week", csv.toString()).code()).isEqualTo(2);
    assertThat(err.toString()).contains("--week", "week.csv: line 7: tue 'much' is not a rate");
  }

  @Test
  void theHelpNamesEverySettingOnce() {
    Run run = plan("--help");

    assertThat(run.code()).isZero();
    for (Setting setting : Setting.values()) {
      assertThat(run.out().lines().filter(l -> l.strip().startsWith(setting.option() + "=")))
          .as(setting.option())
          .hasSize(1);
    }
  }
}
