package org.keywell.bench.tables.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.keywell.bench.tables.figure.KeyBalance;
import org.keywell.bench.tables.figure.MeasuredTable;
import org.keywell.loadgen.report.RunEnvironment;

/** A report as a browser shows it. */
record ShownPage(String html) {
  static final KeyBalance CLEAN = new KeyBalance(1_234, 1_234, 1, 1, 0);

  static TablesDocument run(
      List<MeasuredTable> tables,
      KeyBalance keys,
      @Nullable String simulated,
      @Nullable String failure) {
    return new TablesDocument(
        TablesDocument.FORMAT,
        "tables",
        "2026-01-02T03:04:05.678Z",
        12.3,
        failure != null,
        failure,
        simulated,
        simulated == null ? List.of() : List.of(simulated + ": signing 20.0 ms"),
        "default counts",
        RunEnvironment.here(Map.of("KEYWELL_REVISION", "abc123")),
        "token '<keywell>'",
        "PostgreSQL 17, fsync on",
        keys,
        tables);
  }

  /** Opens the page of a run, as a person does who has nothing but its file. */
  static ShownPage of(TablesDocument run, Path folder) throws IOException, InterruptedException {
    TablesFolder report = TablesFolder.at(Files.createTempDirectory(folder, "report"));
    report.write(run);
    Path dom = Files.createTempFile(folder, "dom", ".html");
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
                report.reportFile().toUri().toString())
            .redirectOutput(dom.toFile())
            .redirectError(folder.resolve("chromium.log").toFile())
            .start();
    try {
      assertThat(browser.waitFor(60, TimeUnit.SECONDS)).isTrue();
    } finally {
      browser.destroyForcibly();
    }
    return new ShownPage(Files.readString(dom));
  }

  /** The elements that people see, without the scripts that made them. */
  String body() {
    return html.substring(html.indexOf("<main>"), html.indexOf("</main>"));
  }
}
