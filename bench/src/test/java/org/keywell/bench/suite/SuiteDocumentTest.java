package org.keywell.bench.suite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.keywell.bench.report.ResultFolder;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

final class SuiteDocumentTest {
  @TempDir private Path folder = Path.of("");

  @Test
  void figuresHoldRoundsAndWhatTheyComeTo() throws IOException {
    SuiteDocument document =
        Runs.of(true, Runs.burst(), MeasuredPart.failed(PartId.G, "no room", 1));
    ResultFolder report = ResultFolder.at(folder.resolve("new"), "bench.json");
    report.write(new SuiteReport(document).page(), Map.of(), document);

    JsonNode run = JsonMapper.builder().build().readTree(Files.readAllBytes(report.figuresFile()));
    assertThat(run.get("busy").asBoolean()).isTrue();
    assertThat(run.get("loadAverage").asDouble()).isEqualTo(3.25);
    assertThat(run.get("environment").get("cpu").asString()).isEqualTo("a processor");
    assertThat(run.get("machine").get("hsm").asString()).isEqualTo("a module");
    JsonNode burst = run.get("parts").get(0);
    assertThat(burst.get("part").asString()).isEqualTo("b");
    JsonNode ratio = burst.get("ratios").get(0);
    assertThat(ratio.get("rounds")).hasSize(3);
    assertThat(ratio.get("median").asDouble()).isEqualTo(0.33);
    assertThat(ratio.get("least").asDouble()).isEqualTo(0.31);
    assertThat(ratio.get("most").asDouble()).isEqualTo(0.36);
    assertThat(ratio.get("met").asBoolean()).isFalse();
    assertThat(ratio.get("goal").get("stretch").asDouble()).isEqualTo(0.45);
    assertThat(run.get("parts").get(1).get("failure").asString()).isEqualTo("no room");
    assertThat(Files.readString(report.reportFile())).contains("7.7 GiB", "no room");
  }

  @Test
  void aReportNeverReplacesAnother() throws IOException {
    Files.writeString(folder.resolve("bench.json"), "{}");

    assertThatThrownBy(() -> ResultFolder.at(folder, "bench.json"))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("is not empty");
  }
}
