package org.keywell.bench.suite;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.keywell.loadgen.report.RunEnvironment;
import org.keywell.testkit.Chromium;
import org.keywell.testkit.SelfContainedPage;

/** What people see of a run. */
@Tag("browser")
final class SuitePageTest {
  @TempDir private Path folder = Path.of("");

  private static SuiteReport run(boolean interrupted, boolean busy) {
    return new SuiteReport(
        new SuiteDocument(
            SuiteDocument.FORMAT,
            "2026-01-02T03:04:05Z",
            612.3,
            interrupted,
            2.3,
            busy,
            3,
            1,
            new RunEnvironment("EPYC", 2, "OpenJDK 25", "Linux 6", 2.3, "abc123", true),
            new Machine("7.7 GiB", "Debian", "SoftHSM <2.6.1>", "OpenSSL 3", "PostgreSQL 17.11"),
            List.of(
                binding(),
                latency(),
                MeasuredPart.failed(PartId.G, "no <b>room</b>", 1),
                areas())));
  }

  private static MeasuredPart binding() {
    Ratio ratio = new Ratio("binding / C", List.of(0.93, 0.96, 0.95), Goal.of(0.95, 0.98));
    return MeasuredPart.of(PartId.A, new PartResult(List.of(ratio), List.of()), 30);
  }

  private static MeasuredPart latency() {
    return MeasuredPart.of(
        PartId.E,
        new PartResult(
            List.of(),
            List.of(
                new Reading("p50", 4.2, "ms", Goal.of(5, 3)),
                new Reading("p99", 17, "ms", Goal.of(15, 10)),
                Reading.of("sent", 1_000, "requests"))),
        20);
  }

  private static MeasuredPart areas() {
    return MeasuredPart.of(
        PartId.I,
        new PartResult(
            List.of(),
            List.of(
                Reading.of("time, RSA: HTTP", 120, "µs"),
                Reading.of("time, RSA: JSON", 11, "µs"),
                Reading.of("time, RSA: HSM", 800, "µs"),
                Reading.of("time, RSA: service in all", 931, "µs"),
                Reading.of("time, EC: HTTP", 121, "µs"))),
        20);
  }

  private String shown(SuiteReport run) throws IOException, InterruptedException {
    return Chromium.shown(run.page(), folder);
  }

  private static String row(String name, String... cells) {
    return "<th scope=\"row\">%s</th><td>%s</td>".formatted(name, String.join("</td><td>", cells));
  }

  @Test
  void whatIsHeldAgainstAGoalComesFirst() throws Exception {
    assertThat(shown(run(false, false)))
        .contains("2 of 3 targets are met.")
        .contains(row("a", "binding / C", "0.95", "0.93 to 0.96", "0.95", "0.98"))
        .contains(row("e", "p50", "4.20 ms", "", "5.00", "3.00"))
        .contains(row("e", "p99", "17.0 ms (missed)", "", "15.0", "10.0"))
        .doesNotContain("not to be published", "interrupted");
  }

  @Test
  void eachPartHasItsRoundsAndItsFigures() throws Exception {
    assertThat(shown(run(false, false)))
        .contains("<h2>a. The binding against a C program</h2>", "It took 30.0 s.")
        .contains(row("binding / C", "0.95", "0.93", "0.96", "0.93, 0.96, 0.95"))
        .contains(row("sent", "1,000 requests"));
  }

  @Test
  void seriesStandBesideEachOther() throws Exception {
    String page = shown(run(false, false));
    assertThat(page)
        .contains("<th scope=\"col\">RSA</th><th scope=\"col\">EC</th>")
        .contains(row("HTTP", "120", "121"), row("service in all", "931", ""));
    assertThat(page.split("role=\"img\"", -1)).as("goals, and processor time").hasSize(3);
  }

  @Test
  void whatMustBeKnownIsSaid() throws Exception {
    assertThat(shown(run(true, true)))
        .contains("These figures are not to be published: the machine had other work; its load")
        .contains("its load average was 2.30 when the run began.")
        .contains("The run was interrupted")
        .contains("Not measured: g.")
        .contains("It was not measured: no &lt;b&gt;room&lt;/b&gt;")
        .contains("SoftHSM &lt;2.6.1&gt;", "7.7 GiB", "abc123, with changes", "PostgreSQL 17.11");
  }

  @Test
  void itNeedsNothingButItself() {
    SelfContainedPage page = new SelfContainedPage(run(false, false).page());
    page.needsNothingButItself();
    page.hasAPlaceForWhateverItsScriptsShow();
  }
}
