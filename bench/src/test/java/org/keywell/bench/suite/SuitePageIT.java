package org.keywell.bench.suite;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What people see of a run. */
@Timeout(120)
final class SuitePageIT {
  private static final String RUN =
      """
      {"format": 1, "startedAt": "2026-01-02T03:04:05Z", "durationSeconds": 612.3,
       "interrupted": %s, "loadAverage": 2.3, "busy": %s, "rounds": 3, "scale": 1.0,
       "environment": {"cpu": "EPYC", "cores": 2, "jdk": "OpenJDK 25", "os": "Linux 6",
         "loadAverage": 2.3, "gitRevision": "abc123", "gitDirty": true},
       "machine": {"memory": "7.7 GiB", "system": "Debian", "hsm": "SoftHSM <2.6.1>",
         "openssl": "OpenSSL 3", "database": "PostgreSQL 17.11"},
       "parts": [
        {"part": "a", "title": "The binding", "seconds": 30, "failure": null,
         "ratios": [{"label": "binding / C", "rounds": [0.93, 0.96, 0.95], "median": 0.95,
           "least": 0.93, "most": 0.96, "met": true, "goal": {"target": 0.95, "stretch": 0.98}}],
         "readings": []},
        {"part": "e", "title": "Latency", "seconds": 20, "failure": null, "ratios": [],
         "readings": [
          {"label": "p50", "value": 4.2, "unit": "ms", "goal": {"target": 5, "stretch": 3}},
          {"label": "p99", "value": 17, "unit": "ms", "goal": {"target": 15, "stretch": 10}},
          {"label": "sent", "value": 1000, "unit": "requests", "goal": %s}]},
        {"part": "g", "title": "A claim", "seconds": 1, "failure": "no <b>room</b>",
         "ratios": [], "readings": []},
        {"part": "i", "title": "Where it goes", "seconds": 20, "failure": null, "ratios": [],
         "readings": [
          {"label": "time, RSA: HTTP", "value": 120, "unit": "µs", "goal": %1$s},
          {"label": "time, RSA: JSON", "value": 11, "unit": "µs", "goal": %1$s},
          {"label": "time, RSA: HSM", "value": 800, "unit": "µs", "goal": %1$s},
          {"label": "time, RSA: service in all", "value": 931, "unit": "µs", "goal": %1$s},
          {"label": "time, EC: HTTP", "value": 121, "unit": "µs", "goal": %1$s}]}]}
      """;
  private static final String NO_GOAL = "{\"target\": null, \"stretch\": null}";

  @TempDir private Path folder = Path.of("");

  private static String run(boolean interrupted, boolean busy) {
    return RUN.replace("%1$s", NO_GOAL).formatted(interrupted, busy, NO_GOAL);
  }

  private String shown(String json) throws IOException, InterruptedException {
    Path file = Files.writeString(folder.resolve("report.html"), SuitePage.of(json));
    Path dom = folder.resolve("dom.html");
    Process browser =
        new ProcessBuilder(
                Objects.requireNonNullElse(
                    System.getenv("KEYWELL_TEST_CHROMIUM"), "/usr/bin/chromium"),
                "--headless",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-dev-shm-usage",
                "--no-first-run",
                "--disable-background-networking",
                "--user-data-dir=" + Files.createTempDirectory(folder, "profile"),
                "--dump-dom",
                file.toUri().toString())
            .redirectOutput(dom.toFile())
            .redirectError(folder.resolve("chromium.log").toFile())
            .start();
    try {
      assertThat(browser.waitFor(60, TimeUnit.SECONDS)).isTrue();
    } finally {
      browser.destroyForcibly();
    }
    String html = Files.readString(dom);
    return html.substring(html.indexOf("<main>"), html.indexOf("</main>"));
  }

  private static String row(String name, String... cells) {
    return "<th scope=\"row\">%s</th><td>%s</td>".formatted(name, String.join("</td><td>", cells));
  }

  @Test
  void whatIsHeldAgainstAGoalComesFirst() throws Exception {
    assertThat(shown(run(false, false)))
        .contains("2 of 3 targets are met.")
        .contains(row("a  binding / C", "0.95", "0.93 to 0.96", "0.95", "0.98", "met"))
        .contains(row("e  p50", "4.2 ms", "", "5 ms", "3 ms", "met"))
        .contains(row("e  p99", "17 ms", "", "15 ms", "10 ms", "missed"))
        .doesNotContain("not to be published", "interrupted");
  }

  @Test
  void eachPartHasItsRoundsAndItsFigures() throws Exception {
    String page = shown(run(false, false));
    assertThat(page)
        .contains("<h2>a. The binding</h2>")
        .contains(row("binding / C", "0.95", "0.93", "0.96", "0.93, 0.96, 0.95"))
        .contains(row("sent", "1,000 requests"));
  }

  @Test
  void seriesStandBesideEachOther() throws Exception {
    String page = shown(run(false, false));
    assertThat(page)
        .contains("<th scope=\"col\">RSA</th><th scope=\"col\">EC</th>")
        .contains(row("HTTP", "120", "121"), row("service in all", "931", "–"));
    assertThat(page.split("role=\"img\"", -1)).as("goals, and processor time").hasSize(3);
  }

  @Test
  void whatMustBeKnownIsSaid() throws Exception {
    assertThat(shown(run(true, true)))
        .contains("its load average was 2.3 when the run began. These figures are not to be")
        .contains("The run was interrupted")
        .contains("Not measured: g.")
        .contains("It was not measured: no &lt;b&gt;room&lt;/b&gt;")
        .contains("SoftHSM &lt;2.6.1&gt;", "7.7 GiB", "abc123, with changes", "PostgreSQL 17.11");
  }

  @Test
  void itFetchesNothing() {
    assertThat(SuitePage.of(run(false, false)))
        .doesNotContain("src=", "href=", "unsafe")
        .contains("default-src 'none'");
  }
}
