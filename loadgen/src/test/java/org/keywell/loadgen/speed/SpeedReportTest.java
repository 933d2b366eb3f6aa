package org.keywell.loadgen.speed;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.keywell.loadgen.report.RunEnvironment;
import org.keywell.testkit.SelfContainedPage;

final class SpeedReportTest {

  private static SpeedRow row(SpeedOperation operation, int clients, long fresh, long kept) {
    return row(SpeedSystem.KEYWELL, operation, clients, fresh, kept);
  }

  private static SpeedRow row(
      SpeedSystem system, SpeedOperation operation, int clients, long fresh, long kept) {
    return new SpeedRow(
        system,
        operation,
        clients,
        new SpeedTrial(fresh, 6, false),
        new SpeedTrial(kept, 6, operation == SpeedOperation.RSA_FROM_POOL));
  }

  private static SpeedDocument document() {
    return new SpeedDocument(
        "2026-11-26T00:00:00Z",
        17,
        new RunEnvironment("cpu", 2, "jdk", "os", 0.3, null, null),
        new SpeedPlan(5, 1, List.of(1, 10, 11), 100, 50),
        List.of(
            row(SpeedOperation.GET, 1, 100, 1_000),
            row(SpeedOperation.GET, 11, 100, 1_000),
            row(SpeedOperation.CREATE_AES, 10, 100, 400),
            row(SpeedOperation.RSA_FROM_POOL, 10, 90, 300),
            row(SpeedSystem.PYKMIP, SpeedOperation.RSA_WITHOUT_POOL, 10, 30, 60),
            row(SpeedSystem.ONE_SERVER, SpeedOperation.GET, 5, 100, 1_000),
            row(SpeedSystem.TWO_SERVERS, SpeedOperation.GET, 5, 180, 1_600)),
        Map.of());
  }

  @Test
  void publishedFiguresAreTheNotes() {
    assertThat(PublishedRate.all()).hasSize(50);
    assertThat(PublishedRate.of(SpeedOperation.GET, 5))
        .contains(new PublishedRate("get-aes", 5, 840, 8_100, 1_200, 13_860));
    assertThat(PublishedRate.of(SpeedOperation.RSA_FROM_POOL, 10))
        .contains(new PublishedRate("create-rsa", 10, 180, 246, 264, 432));
    assertThat(PublishedRate.of(SpeedOperation.CREATE_EC, 11)).isEmpty();
  }

  @Test
  void theTerminalShowsRatiosBesideThePublishedOnes() {
    assertThat(new SpeedReport(document()).text())
        .containsPattern(
            "\\| 1 +\\| 1,000 +\\| 10,000 +\\| 10.00 +\\| 672 +\\| 8,520 +\\| 12.68 +\\|")
        .containsPattern("\\| 11 +\\| 1,000 +\\| 10,000 +\\| 10.00 +\\| – +\\| – +\\| – +\\|")
        .containsPattern("\\| 10 +\\| 0.90 +\\| 0.75 +\\|")
        .containsPattern("\\| 10 +\\| 90 in 6.00 s +\\| 300 in 6.00 s, until it was empty +\\|");
  }

  @Test
  void otherServersStandBesideKeywell() {
    assertThat(new SpeedReport(document()).text())
        .containsPattern("\\| 10 +\\| 300 +\\| 600 +\\| 900 +\\| 3,000 +\\| 3.00 +\\| 5.00 +\\|")
        .containsPattern("\\| 10 +\\| – +\\| – +\\| 1,000 +\\| 4,000 +\\| – +\\| – +\\|")
        .containsPattern(
            "\\| 5 +\\| 1,000 +\\| 10,000 +\\| 1,800 +\\| 16,000 +\\| 1.80 +\\| 1.60 +\\| 1.43 +\\| 1.71 +\\|");
  }

  @Test
  void whatWasLeftOutSaysWhy() {
    SpeedDocument all = document();
    SpeedReport report =
        new SpeedReport(
            new SpeedDocument(
                all.startedAt(),
                all.durationSeconds(),
                all.environment(),
                all.plan(),
                all.rows().subList(0, 4),
                Map.of(SpeedSystem.PYKMIP, "no such Python", SpeedSystem.ONE_SERVER, "no quota")));
    assertThat(report.text())
        .contains("no such Python", "no quota")
        .doesNotContain("Two servers: new");
    assertThat(report.page()).contains("no such Python", "no quota");
  }

  @Test
  void theCsvHasALineForEachMeasurement() {
    assertThat(document().csv().lines())
        .startsWith(
            "system,operation,clients,connections,operations,seconds,per_minute,published_per_minute",
            "KEYWELL,GET,1,new,100,6.000,1000.0,672",
            "KEYWELL,GET,1,kept,1000,6.000,10000.0,8520",
            "KEYWELL,GET,11,new,100,6.000,1000.0,")
        .contains(
            "PYKMIP,RSA_WITHOUT_POOL,10,new,30,6.000,300.0,",
            "ONE_SERVER,GET,5,kept,1000,6.000,10000.0,8100",
            "TWO_SERVERS,GET,5,kept,1600,6.000,16000.0,13860")
        .hasSize(1 + 7 * 2);
  }

  @Test
  void thePageNeedsNothingButItself() {
    SelfContainedPage page = new SelfContainedPage(new SpeedReport(document()).page());
    page.needsNothingButItself();
    page.hasAPlaceForWhateverItsScriptsShow();
    assertThat(page.document()).contains("\"published, cached\"", "8,520", "11 clients");
  }
}
