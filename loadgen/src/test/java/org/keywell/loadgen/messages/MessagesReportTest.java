package org.keywell.loadgen.messages;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;
import org.keywell.loadgen.report.RunEnvironment;
import org.keywell.testkit.SelfContainedPage;

final class MessagesReportTest {

  private static MessageRow row(int clients, Guard guard, double... perSecond) {
    return new MessageRow(
        Layout.TEN,
        clients,
        guard,
        DoubleStream.of(perSecond)
            .mapToObj(rate -> new MessageTrial(Math.round(rate * 2), 2, rate / 1_000, rate / 500))
            .toList());
  }

  /** Round by round, the ratios are 3, 4 and 4.5: their median is not that of the medians. */
  private static MessagesDocument document() {
    return new MessagesDocument(
        "2026-11-27T00:00:00Z",
        60,
        new RunEnvironment("cpu", 2, "jdk", "os", 1.5, null, null),
        "ActiveMQ Artemis 2.44.0",
        new MessagesPlan(
            2,
            1,
            3,
            List.of(10, 1),
            List.of(Layout.TEN),
            List.of(Guard.CONFIDENTIALITY_32, Guard.PRIVACY)),
        List.of(
            row(1, Guard.PRIVACY, 100, 150, 200),
            row(1, Guard.CONFIDENTIALITY_32, 300, 600, 900),
            row(10, Guard.PRIVACY, 300, 300, 300),
            row(10, Guard.CONFIDENTIALITY_32, 1_500, 1_500, 1_200)),
        null);
  }

  @Test
  void theTerminalShowsMediansAndTheRatiosOfRounds() {
    String text = new MessagesReport(document()).text();

    assertThat(text)
        .startsWith("The machine had other work: its load average was 1.50")
        .containsPattern("Quality +\\| 1 client +\\| 10 clients ")
        .containsPattern("privacy +\\| 150 \\(100–200\\) +\\| 300 \\(300–300\\)")
        .containsPattern("privacy +\\| 0.50 \\+ 1.00 +\\| 0.50 \\+ 1.00")
        .containsPattern("privacy +\\| 4 \\+ 8 +\\| 8 \\+ 15")
        .containsPattern(
            "ten: confidentiality \\(32\\)/privacy +\\| more than 4 +\\| 4.00 \\(3.00–4.50\\)"
                + " +\\| 5.00 \\(4.00–5.00\\)")
        .doesNotContain("/TLS", "one:", "dedicated:");
  }

  @Test
  void theCsvHasALineForEachMeasurement() {
    assertThat(document().csv().lines().limit(4))
        .containsExactly(
            "queues,quality,clients,round,round_trips,seconds,per_second,client_cpu_s,broker_cpu_s",
            "ten,privacy,1,1,200,2.000,100.0,0.10,0.20",
            "ten,privacy,1,2,300,2.000,150.0,0.15,0.30",
            "ten,privacy,1,3,400,2.000,200.0,0.20,0.40");
  }

  @Test
  void thePageNeedsNothingButItself() {
    SelfContainedPage page = new SelfContainedPage(new MessagesReport(document()).page());
    page.needsNothingButItself();
    page.hasAPlaceForWhateverItsScriptsShow();
    assertThat(page.document()).contains("4.00 (3.00–4.50)", "more than 4", "Artemis 2.44.0");
  }

  @Test
  void thePublishedRatiosAreThoseOfThePaper() {
    assertThat(PublishedRatio.all())
        .hasSize(9)
        .contains(
            new PublishedRatio(
                Layout.DEDICATED, Guard.CONFIDENTIALITY_32, Guard.PRIVACY, "more than 20"),
            new PublishedRatio(Layout.DEDICATED, Guard.CONFIDENTIALITY_32, Guard.TLS, "1.72"));
  }

  @Test
  void aPlanKnowsItsTimeAndCountsNothingTwice() {
    MessagesPlan plan =
        new MessagesPlan(
            3,
            1,
            2,
            List.of(10, 1, 10),
            List.of(Layout.DEDICATED, Layout.ONE),
            List.of(Guard.TLS, Guard.NONE, Guard.TLS));

    assertThat(plan.clients()).containsExactly(1, 10);
    assertThat(plan.guards()).containsExactly(Guard.NONE, Guard.TLS);
    assertThat(plan.measurements()).isEqualTo(16);
    assertThat(plan.time()).hasSeconds(64);
    assertThat(Layout.TEN.responders(3)).isEqualTo(10);
    assertThat(Layout.DEDICATED.queues(3)).isEqualTo(3);
    assertThat(Layout.ONE.responders(3)).isEqualTo(3);
  }
}
