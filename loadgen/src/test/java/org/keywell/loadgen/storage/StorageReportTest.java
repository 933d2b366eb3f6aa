package org.keywell.loadgen.storage;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.keywell.loadgen.report.RunEnvironment;
import org.keywell.loadgen.storage.PgbenchResult.Statement;
import org.keywell.loadgen.storage.StorageFigures.Promise;
import org.keywell.loadgen.storage.StorageFigures.Round;
import org.keywell.loadgen.storage.StorageFigures.Start;
import org.keywell.testkit.SelfContainedPage;

final class StorageReportTest {

  private static PgbenchResult result(double perSecond) {
    return new PgbenchResult(
        Math.round(perSecond * 15),
        0,
        perSecond,
        50_000 / perSecond,
        300,
        List.of(
            new Statement("\\set aid random(1, 100000 * :scale)", 0.001),
            new Statement("BEGIN;", 1.5)));
  }

  /** Of the medians, 1,000 and 950, the ratio is 0.95; of the rounds, it is 0.9 to 1. */
  private static StorageDocument document(boolean kept) {
    return StorageDocument.of(
        "2026-11-26T00:00:00Z",
        240,
        new RunEnvironment("cpu", 2, "jdk", "os", 0.3, null, null),
        "postgres (PostgreSQL) 15.18",
        new StoragePlan(15, 3, 20),
        new StorageFigures(
            List.of(
                new Round(result(1_000), result(950)),
                new Round(result(1_100), result(990)),
                new Round(result(900), result(900))),
            List.of(new Start(0.1, 1.2, 300)),
            List.of(new Start(9.25, 10.5, 310), new Start(11.25, 12.5, 330)),
            List.of(
                new Promise("The key goes", "refused: X", kept ? "refused: X" : "started", kept))));
  }

  @Test
  void theTerminalShowsMediansTheirRatioAndThePublishedFigures() {
    assertThat(new StorageReport(document(true)).text())
        .containsPattern(
            "transactions/s +\\| 1,000 \\(900–1,100\\) \\| 950 \\(900–990\\) +"
                + "\\| 0.950 \\(0.900–1.000\\) \\| 2,818 +\\| 2,608 +\\| 0.926 ")
        .containsPattern("unwrap the data key +\\| 0.1 \\(0.1–0.1\\) +\\| 10.3 \\(9.3–11.3\\)")
        .containsPattern("The key goes +\\| refused: X +\\| refused: X +\\| yes ");
  }

  @Test
  void aBrokenPromiseIsTheFirstThingToRead() {
    assertThat(document(true).figures().allKept()).isTrue();
    assertThat(document(false).figures().allKept()).isFalse();
    assertThat(new StorageReport(document(false)).text())
        .startsWith("The key goes: expected 'refused: X', got 'started'.");
  }

  @Test
  void theCsvHasALineForEachMeasurementAndStart() {
    assertThat(document(true).csv().lines())
        .containsExactly(
            "key_manager,round,tps,latency_ms,connect_ms",
            "local,1,1000.000,50.000,300.000",
            "xks,1,950.000,52.632,300.000",
            "local,2,1100.000,45.455,300.000",
            "xks,2,990.000,50.505,300.000",
            "local,3,900.000,55.556,300.000",
            "xks,3,900.000,55.556,300.000",
            "published-kms,,2817.615,17.746,341.659",
            "published-ekm,,2608.218,19.170,370.794",
            "",
            "key_manager,start,unwrap_ms,unlock_ms,start_ms",
            "local,1,0.100,1.200,300.000",
            "xks,1,9.250,10.500,310.000",
            "xks,2,11.250,12.500,330.000");
  }

  @Test
  void thePageNeedsNothingButItself() {
    SelfContainedPage page = new SelfContainedPage(new StorageReport(document(true)).page());
    page.needsNothingButItself();
    page.hasAPlaceForWhateverItsScriptsShow();
    assertThat(page.document())
        .contains(
            "2,818",
            "0.950 (0.900–1.000)",
            "\"UPDATE pgbench_branches\"",
            "\"SELECT abalance\"",
            "6.92")
        .doesNotContain("100000 * :scale");
  }
}
