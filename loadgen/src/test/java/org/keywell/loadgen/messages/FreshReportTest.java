package org.keywell.loadgen.messages;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Objects;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;
import org.keywell.loadgen.report.RunEnvironment;
import org.keywell.testkit.SelfContainedPage;

final class FreshReportTest {
  private static final FreshPlan PLAN = new FreshPlan(100, "RSA-2048", 2, 1, 3, List.of(10, 1));

  private static FreshRow row(KeyUse keys, int clients, double... perSecond) {
    return new FreshRow(
        keys,
        clients,
        DoubleStream.of(perSecond)
            .mapToObj(rate ->
                new FreshTrial(
                    new MessageTrial(Math.round(rate * 2), 2, rate / 1_000, rate / 500),
                    rate / 250,
                    1_000 / rate))
            .toList());
  }

  /** Round by round, the first ratios are 2, 6 and 3: their median is not that of the medians. */
  private static MessagesDocument document() {
    return new MessagesDocument(
        "2026-11-27T00:00:00Z",
        60,
        new RunEnvironment("cpu", 2, "jdk", "os", 0.5, null, null),
        "ActiveMQ Artemis 2.44.0",
        new MessagesPlan(2, 1, 3, List.of(1, 10), List.of(Layout.TEN), List.of(Guard.NONE)),
        List.of(),
        new FreshResult(
            PLAN,
            List.of(
                row(KeyUse.KEPT, 1, 200, 300, 300),
                row(KeyUse.POOLED, 1, 100, 50, 100),
                row(KeyUse.ON_THE_FLY, 1, 5, 5, 5),
                row(KeyUse.KEPT, 10, 900, 900, 900),
                row(KeyUse.POOLED, 10, 300, 300, 300))));
  }

  @Test
  void theTerminalShowsWhatFreshKeysCost() {
    assertThat(new MessagesReport(document()).text())
        .contains("A fresh key for each request")
        .containsPattern("from the pool +\\| 100.0 \\(50.0–100.0\\) +\\| 300.0 ")
        .containsPattern("on the fly +\\| 5.0 \\(5.0–5.0\\) +\\| – ")
        .containsPattern("on the fly +\\| 200.0 \\(200.0–200.0\\) +\\| – ")
        .containsPattern("from the pool +\\| 0.50 \\+ 1.00 \\+ 2.00 ")
        .containsPattern("kept/pooled +\\| 3.00 \\(2.00–6.00\\) +\\| 3.00 ")
        .containsPattern("pooled/on-the-fly +\\| 20.00 \\(10.00–20.00\\) +\\| – ");
  }

  @Test
  void theCsvHasALineForEachMeasurement() {
    assertThat(Objects.requireNonNull(document().fresh()).csv().lines())
        .hasSize(16)
        .startsWith(
            "keys,clients,round,round_trips,seconds,per_second,p50_ms,client_cpu_s,broker_cpu_s,"
                + "service_cpu_s",
            "kept,1,1,400,2.000,200.0,5.00,0.20,0.40,0.80");
  }

  @Test
  void thePageNeedsNothingButItself() {
    SelfContainedPage page = new SelfContainedPage(new MessagesReport(document()).page());
    page.needsNothingButItself();
    page.hasAPlaceForWhateverItsScriptsShow();
    assertThat(page.document()).contains("3.00 (2.00–6.00)", "kept/pooled");
  }

  @Test
  void messagesAreSharedOutAndEachClientHasOne() {
    assertThat(PLAN.clients()).containsExactly(1, 10);
    assertThat(PLAN.share()).isEqualTo(16);
    assertThatThrownBy(() -> new FreshPlan(59, "RSA-2048", 2, 1, 3, List.of(10, 1)))
        .hasMessageContaining("up to 10 clients in each of 6 measurements it must be at least 60");
  }
}
