package org.keywell.loadgen.speed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.keywell.loadgen.report.RunEnvironment;
import org.keywell.testkit.SelfContainedPage;

final class SpeedReportTest {

  private static SpeedRow row(SpeedOperation operation, int clients, long fresh, long kept) {
    return new SpeedRow(
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
        new SpeedPlan(5, 1, List.of(1, 10, 11), 100),
        List.of(
            row(SpeedOperation.GET, 1, 100, 1_000),
            row(SpeedOperation.GET, 11, 100, 1_000),
            row(SpeedOperation.CREATE_AES, 10, 100, 400),
            row(SpeedOperation.RSA_FROM_POOL, 10, 90, 300)));
  }

  @Test
  void publishedFiguresAreTheNotes() {
    assertThat(PublishedRate.all()).hasSize(50);
    assertThat(PublishedRate.of(SpeedOperation.GET, 5))
        .contains(new PublishedRate("get-aes", 5, 840, 8_100));
    assertThat(PublishedRate.of(SpeedOperation.RSA_FROM_POOL, 10))
        .contains(new PublishedRate("create-rsa", 10, 180, 246));
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
  void theCsvHasALineForEachMeasurement() {
    assertThat(document().csv().lines())
        .startsWith(
            "operation,clients,connections,operations,seconds,per_minute,published_per_minute",
            "GET,1,new,100,6.000,1000.0,672",
            "GET,1,kept,1000,6.000,10000.0,8520",
            "GET,11,new,100,6.000,1000.0,")
        .hasSize(1 + 4 * 2);
  }

  @Test
  void thePageNeedsNothingButItself() {
    SelfContainedPage page = new SelfContainedPage(new SpeedReport(document()).page());
    page.needsNothingButItself();
    page.hasAPlaceForWhateverItsScriptsShow();
    assertThat(page.document()).contains("\"published, cached\"", "8,520", "11 clients");
  }

  @Test
  void kmipIsSetByTheMeasurementAlone() {
    SpeedSite.requireOwnSettings(Map.of("KEYWELL_HOME", "/x", "KEYWELL_KMIP_PORT", ""));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> SpeedSite.requireOwnSettings(Map.of("KEYWELL_KMIP_PORT", "5696")))
        .withMessageEndingWith("unset KEYWELL_KMIP_PORT");
  }
}
