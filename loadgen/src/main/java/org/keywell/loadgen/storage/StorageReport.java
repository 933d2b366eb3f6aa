package org.keywell.loadgen.storage;

import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.keywell.loadgen.report.Plot;
import org.keywell.loadgen.report.Report;
import org.keywell.loadgen.report.Report.Notice;
import org.keywell.loadgen.report.Report.Section;
import org.keywell.loadgen.report.Spread;
import org.keywell.loadgen.report.Table;
import org.keywell.loadgen.storage.StorageFigures.Promise;
import org.keywell.loadgen.storage.StorageFigures.Round;
import org.keywell.loadgen.storage.StorageFigures.Start;

/** A run for people: tables for a terminal, and a page. */
public record StorageReport(StorageDocument run) {
  private static final String TEMPLATE = "/org/keywell/loadgen/storage/storage.html";

  /** Returns the tables in Markdown. */
  public String text() {
    return notices().stream().map(notice -> notice.text() + "\n\n").collect(Collectors.joining())
        + transactions().markdown()
        + starts().markdown()
        + promises().markdown();
  }

  /** Returns the page. */
  public String page() {
    return new Report(
            "Rounds: %d, of %d s for each database; scale %d; started %s, lasted %.0f s"
                .formatted(
                    run.plan().rounds(),
                    run.plan().seconds(),
                    run.plan().scale(),
                    run.startedAt(),
                    run.durationSeconds()),
            notices(),
            null,
            List.of(),
            List.of(
                new Section("transactions", "Transactions a second", transactions()),
                new Section("starts", "Starts", starts()),
                new Section("promises", "Without the key", promises()),
                new Section("statements", "Statements", statements())),
            Report.facts(
                List.of(
                    List.of("PostgreSQL", run.postgresql()),
                    List.of("Encryption", "ext4 on a loop device; AES-256-XTS, names AES-256-CTS"),
                    List.of("pgbench", "50 clients, 5 threads, extended protocol, one machine")),
                run.environment()))
        .page(TEMPLATE, "Keywell load: encrypted storage");
  }

  private List<Notice> notices() {
    List<Notice> notices = new ArrayList<>();
    double load = run.environment().loadAverage();
    if (load > 1) {
      notices.add(
          new Notice(
              "The machine had other work: its load average was %.2f when the run began."
                  .formatted(load),
              false));
    }
    for (Promise promise : run.figures().promises()) {
      if (!promise.kept()) {
        notices.add(
            new Notice(
                "%s: expected '%s', got '%s'."
                    .formatted(promise.event(), promise.promised(), promise.seen()),
                true));
      }
    }
    return notices;
  }

  private Table transactions() {
    return new Table(
        "Of both databases",
        List.of(
            "Figure", "Local key manager", "XKS", "XKS/local", "Published: KMS", "EKM", "EKM/KMS"),
        List.of(
            row("transactions/s", "%,.0f", run.figures().ratio(), PgbenchResult::perSecond),
            row("average latency, ms", "%.1f", null, PgbenchResult::latencyMillis),
            row("time to connect, ms", "%.0f", null, PgbenchResult::connectMillis)),
        plot());
  }

  private List<String> row(
      String name, String format, @Nullable Spread ratio, ToDoubleFunction<PgbenchResult> figure) {
    double kms = figure.applyAsDouble(run.publishedKms());
    double ekm = figure.applyAsDouble(run.publishedEkm());
    Spread local = run.figures().local(figure);
    Spread xks = run.figures().xks(figure);
    return List.of(
        name,
        local.text(format),
        xks.text(format),
        ratio == null ? "%.2f".formatted(xks.median() / local.median()) : ratio.text("%.3f"),
        format.formatted(kms),
        format.formatted(ekm),
        "%.3f".formatted(ekm / kms));
  }

  private Plot plot() {
    List<String> steps = new ArrayList<>();
    List<@Nullable Double> local = new ArrayList<>();
    List<@Nullable Double> xks = new ArrayList<>();
    for (Round round : run.figures().rounds()) {
      steps.add("round " + (steps.size() + 1));
      local.add(round.local().perSecond());
      xks.add(round.xks().perSecond());
    }
    steps.add("published");
    local.add(run.publishedKms().perSecond());
    xks.add(run.publishedEkm().perSecond());
    return new Plot(
        "transactions a second",
        steps,
        List.of(
            new Plot.Line("local key manager; published: KMS", "blue", List.of(), local),
            new Plot.Line("XKS; published: EKM", "green", List.of(), xks)),
        Plot.Form.BARS);
  }

  private Table starts() {
    return new Table(
        "Milliseconds",
        List.of("Step", "Local key manager", "XKS"),
        List.of(
            row("unwrap the data key", Start::unwrap),
            row("unlock the directory, unwrapping included", Start::unlock),
            row("start PostgreSQL", Start::start)));
  }

  private List<String> row(String name, ToDoubleFunction<Start> figure) {
    return List.of(
        name,
        Spread.of(run.figures().localStarts().stream().mapToDouble(figure)).text("%.1f"),
        Spread.of(run.figures().xksStarts().stream().mapToDouble(figure)).text("%.1f"));
  }

  private Table promises() {
    return new Table(
        "What happens",
        List.of("Event", "Promised", "Seen", "As promised"),
        run.figures().promises().stream()
            .map(one -> List.of(one.event(), one.promised(), one.seen(), one.kept() ? "yes" : "no"))
            .toList());
  }

  private Table statements() {
    List<List<String>> lines = new ArrayList<>();
    for (PgbenchResult.Statement published : run.publishedKms().statements()) {
      String text = published.text();
      // pgbench's own commands take no time.
      if (!text.startsWith("\\")) {
        lines.add(
            List.of(
                text.replaceAll(" (SET|FROM|\\().*|;", ""),
                run.figures().local(result -> result.millis(text)).text("%.2f"),
                run.figures().xks(result -> result.millis(text)).text("%.2f"),
                "%.2f".formatted(published.millis()),
                "%.2f".formatted(run.publishedEkm().millis(text))));
      }
    }
    return new Table(
        "Average latency in milliseconds",
        List.of("Statement", "Local key manager", "XKS", "Published: KMS", "EKM"),
        lines);
  }
}
