package org.keywell.loadgen.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.keywell.loadgen.report.RunEnvironment;
import org.keywell.loadgen.tls.TlsScenario.Round;
import org.keywell.testkit.SelfContainedPage;

final class TlsReportTest {
  private static final FileSize SIZE = FileSize.parse("1k");

  /** The service has 0.5 and 0.7 of s_server's new connections, and 0.8 and 0.9 of the resumed. */
  private static final List<TlsScenario> SCENARIOS =
      List.of(
          new TlsScenario(
              "TLS_CHACHA20_POLY1305_SHA256",
              SIZE,
              List.of(
                  new Round(figures(500, 1_600), figures(1_000, 2_000)),
                  new Round(figures(700, 1_800), figures(1_000, 2_000)))),
          new TlsScenario(
              "TLS_AES_128_GCM_SHA256",
              FileSize.parse("64m"),
              List.of(new Round(figures(3, 4), figures(6, 8)))));

  private static TlsFigures figures(long fresh, long resumed) {
    return new TlsFigures(
        new Trial(fresh * 1_068, fresh, 0, 2),
        new Trial(resumed * 1_068, resumed, resumed == 4 ? 1 : 0, 2));
  }

  private static TlsDocument document() {
    return new TlsDocument(
        "2026-11-26T00:00:00Z",
        17,
        new RunEnvironment("cpu", 2, "jdk", "os", 0.3, null, null),
        "OpenSSL 3.0.19",
        new TlsPlan(2, 2, 5, TlsPlan.SUITES, List.of(SIZE), false, false),
        SCENARIOS);
  }

  @Test
  void theWorkloadsNamesAndFiguresAreItsOwn() {
    assertThat(TlsFigures.SEED.metrics())
        .containsExactly(
            Map.entry("TotalBytesRead", 14_193_720.0),
            Map.entry("NumberOfConnections", 13_290.0),
            Map.entry("Duration", 31.0),
            Map.entry("BytesReadPerConnection", 1_068.0),
            Map.entry("NewConnectionThroughput", 14_193_720.0 / 31),
            Map.entry("NewConnectionsPerSec", 13_290.0 / 31),
            Map.entry("ReuseTotalBytesRead", 24_037_476.0),
            Map.entry("ReuseNumberOfConnections", 22_507.0),
            Map.entry("ReuseDuration", 31.0),
            Map.entry("ReuseBytesReadPerConnection", 1_068.0),
            Map.entry("ReuseConnectionThroughput", 24_037_476.0 / 31),
            Map.entry("ReuseConnectionsPerSec", 22_507.0 / 31));
    assertThat(TlsFigures.SEED.gain()).isCloseTo(1.69, within(0.01));
    assertThat(SCENARIOS.getFirst().name()).isEqualTo("tls_client_chacha20-poly1305-sha256-1k");
  }

  @Test
  void roundsAreAddedUpAndRatiosTakenRoundByRound() {
    TlsScenario scenario = SCENARIOS.getFirst();
    assertThat(scenario.service().metrics())
        .containsEntry("NumberOfConnections", 1_200.0)
        .containsEntry("Duration", 4.0)
        .containsEntry("NewConnectionsPerSec", 300.0)
        .containsEntry("ReuseConnectionsPerSec", 850.0);
    assertThat(scenario.newRatio().text()).isEqualTo("0.60 (0.50–0.70)");
    assertThat(scenario.reuseRatio().text()).isEqualTo("0.85 (0.80–0.90)");
  }

  @Test
  void theTerminalShowsRatiosAndThePublishedFigures() {
    assertThat(new TlsReport(document()).text())
        .containsPattern(
            "tls_client_chacha20-poly1305-sha256-1k +\\| 300 .*\\| 0.60 \\(0.50–0.70\\)")
        .containsPattern("NewConnectionsPerSec +\\| count +\\| 300 +\\| 500 +\\| 428.710 ")
        .startsWith(
            "tls_client_aes-128-gcm-sha256-64m: 1 of 4 connections to the service and 0 of 8 to"
                + " s_server did not resume a session")
        .containsPattern("Resumed/new +\\| ratio +\\| 2.833 +\\| 2 +\\| 1.694 ");
  }

  @Test
  void theCsvHasALineForEachMetric() {
    assertThat(document().csv().lines())
        .startsWith("ScenarioName,Server,Round,MetricName,MetricUnit,MetricValue")
        .contains(
            "tls_client_chacha20-poly1305-sha256-1k,service,all,ReuseConnectionsPerSec,count,850",
            "tls_client_chacha20-poly1305-sha256-1k,s_server,2,TotalBytesRead,bytes,1068000",
            "tls_client_chacha20-poly1305-sha256-1k,seed,all,NewConnectionsPerSec,count,428.710")
        .hasSize(1 + 12 * (2 + 4 + 2 + 2 + 1));
  }

  @Test
  void thePageNeedsNothingButItself() {
    SelfContainedPage page = new SelfContainedPage(new TlsReport(document()).page());
    page.needsNothingButItself();
    page.hasAPlaceForWhateverItsScriptsShow();
    assertThat(page.document()).contains("Files of 64m", "\"service, resumed\"", "428.710");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "0k", "1", "1g", "513m", "524289k", "-1k", "1K", "1k/.."})
  void aSizeIsFrom1kTo512m(String text) {
    assertThatIllegalArgumentException().isThrownBy(() -> FileSize.parse(text));
    assertThat(FileSize.parse("512m").bytes()).isEqualTo(512L << 20);
  }
}
