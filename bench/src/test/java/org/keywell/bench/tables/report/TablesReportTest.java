package org.keywell.bench.tables.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.keywell.bench.report.ResultFolder;
import org.keywell.bench.tables.figure.Column;
import org.keywell.bench.tables.figure.KeyBalance;
import org.keywell.bench.tables.figure.Made;
import org.keywell.bench.tables.figure.MeasuredTable;
import org.keywell.bench.tables.figure.Quantity;
import org.keywell.bench.tables.figure.TableId;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What is written of a run: every figure in its place, and nothing that leads anywhere. */
final class TablesReportTest {
  @TempDir private Path folder = Path.of("");

  static List<MeasuredTable> tables() {
    return List.of(
        Made.table(TableId.GENERATION)
            .with(0, Column.NATIVE, "native", Made.singles(Quantity.GENERATE, 80, 100, 150))
            .with(0, Column.SIMULATED, "luna-sa-1700", Made.singles(Quantity.GENERATE, 650))
            .done(),
        Made.table(TableId.TRANSFER)
            .with(0, Column.NATIVE, "native", Made.together(Quantity.LOAD, 100, 20))
            .with(4, Column.NATIVE, "native", Made.together(Quantity.LOAD, 10_000, 500))
            .done(),
        Made.table(TableId.THREADS)
            .with(
                0,
                Column.NATIVE,
                "native",
                Made.together(Quantity.THROUGHPUT, 50, 100),
                Made.singles(Quantity.SINGLE, 1, 2, 7))
            .done());
  }

  private static TablesDocument run(
      KeyBalance keys, @Nullable String simulated, @Nullable String failure) {
    return TablesRuns.run(tables(), keys, simulated, failure);
  }

  /** The text without the lines between its cells. */
  private static String text(TablesDocument run) {
    return new TablesReport(run).text().replace("|", " ");
  }

  @Test
  void theTextHasTheThesisBesideWhatWasMeasured() {
    assertThat(text(run(TablesRuns.CLEAN, "luna-sa-1700", null)))
        .containsIgnoringWhitespaces(
            "Table 2-4: Key generation",
            "row ms a key or request thesis n native min p50 max n simulated min p50 max",
            "100 keys generate 664.62 3 110 80.0 100 150 1 650 650 650 650",
            "1,000 keys generate 683.499 –",
            "simulated: luna-sa-1700",
            "all rows generate 665–683 3 100 1 650",
            "load 10,000 keys load from the database 0.095 10,000 0.0500",
            "1 thread all requests / their number 43 50 2.00",
            "a single request 0–20 3 3.33 1.00 2.00 7.00",
            "times are simulated: the HSM is slowed to the profile luna-sa-1700.",
            "1,234 private keys came to be in the HSM and 1,234 were destroyed; none of them is"
                + " left");
  }

  @Test
  void whatIsLeftIsTold() {
    assertThat(text(run(new KeyBalance(10, 8, 1, 3, 4), null, null)))
        .contains("LEFT are 2 in the HSM by its own count, and 4 in the database")
        .doesNotContain("times are simulated");
  }

  @Test
  void theFolderHasAllFigures() throws Exception {
    TablesDocument run = run(TablesRuns.CLEAN, "luna-sa-1700", null);
    TablesReport report = new TablesReport(run);
    ResultFolder.at(folder, "tables.json").write(report.page(), report.files(), run);

    try (Stream<Path> files = Files.list(folder)) {
      assertThat(files.map(p -> String.valueOf(p.getFileName())))
          .containsExactlyInAnyOrder(
              "report.html", "tables.json", "table-2-4.csv", "table-2-6.csv", "table-2-10.csv");
    }
    JsonNode json =
        JsonMapper.builder().build().readTree(Files.readAllBytes(folder.resolve("tables.json")));
    assertThat(json.get("simulatedProfile").asString()).isEqualTo("luna-sa-1700");
    assertThat(json.get("keys").get("made").asInt()).isEqualTo(1_234);
    JsonNode first = json.get("tables").get(0);
    assertThat(first.get("table").asString()).isEqualTo("2-4");
    JsonNode measured = first.get("rows").get(0).get("measurements").get(0);
    assertThat(measured.get("column").asString()).isEqualTo("native");
    assertThat(measured.get("figures").get(0).get("figure").get("meanMillis").asDouble())
        .isEqualTo(110);
  }

  @Test
  void aCsvFileHasALineForEachFigure() {
    assertThat(TableCsv.of(tables().getFirst()).lines())
        .containsExactly(
            TableCsv.HEADER,
            "100 keys,generate,664.620000,664.620000,native,native,3,3,330.000000,110.000000,"
                + "80.000000,100.007935,150.000000",
            "100 keys,generate,664.620000,664.620000,simulated,luna-sa-1700,1,1,650.000000,"
                + "650.000000,650.000000,650.000000,650.000000",
            "\"1,000 keys\",generate,683.499000,683.499000,,,,,,,,,",
            "\"2,000 keys\",generate,669.491000,669.491000,,,,,,,,,");
  }

  @Test
  void everyLineOfACsvFileHasAllColumns() {
    int columns = TableCsv.HEADER.split(",", -1).length;
    for (MeasuredTable table : tables()) {
      assertThat(TableCsv.of(table).lines().map(TablesReportTest::unquoted))
          .allMatch(line -> line.split(",", -1).length == columns);
    }
  }

  private static String unquoted(String line) {
    return line.replaceAll("\"[^\"]*\"", "x");
  }
}
