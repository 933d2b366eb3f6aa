package org.keywell.loadgen.speed;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.keywell.loadgen.report.Plot;
import org.keywell.loadgen.report.Report;
import org.keywell.loadgen.report.Report.Notice;
import org.keywell.loadgen.report.Report.Section;
import org.keywell.loadgen.report.Table;

/** A run for people: tables for a terminal, and a page. */
public record SpeedReport(SpeedDocument run) {
  private static final String TEMPLATE = "/org/keywell/loadgen/speed/speed.html";
  private static final String NONE = "–";

  /** Returns the tables in Markdown. */
  public String text() {
    StringBuilder text = new StringBuilder();
    notices().forEach(notice -> text.append(notice.text()).append("\n\n"));
    for (SpeedOperation operation : operations()) {
      text.append(operation.label()).append(", operations a minute\n\n");
      text.append(table(operation).markdown());
      if (operation == SpeedOperation.RSA_FROM_POOL) {
        text.append("Pairs taken from the pool\n\n").append(counts().markdown());
      }
    }
    String comparison = comparison().markdown();
    if (!comparison.isEmpty()) {
      text.append("RSA-2048 pairs from the pool for each AES-256 key\n\n").append(comparison);
    }
    beside().forEach(section -> append(text, section));
    return text.toString();
  }

  private List<Section> beside() {
    BesideReport beside = new BesideReport(run);
    return List.of(beside.pyKmip(), beside.twoServers());
  }

  private static void append(StringBuilder text, Section section) {
    text.append(section.heading()).append("\n\n");
    if (section.failure() != null) {
      text.append(section.failure()).append("\n\n");
      return;
    }
    text.append(section.about()).append("\n\n");
    for (Table table : section.tables()) {
      text.append(table.name()).append("\n\n").append(table.markdown());
    }
  }

  /** Returns the page. */
  public String page() {
    List<Section> sections = new ArrayList<>();
    for (SpeedOperation operation : operations()) {
      String id = operation.name().toLowerCase(Locale.ROOT).replace('_', '-');
      sections.add(
          operation == SpeedOperation.RSA_FROM_POOL
              ? new Section(id, operation.label(), table(operation), counts())
              : new Section(id, operation.label(), table(operation)));
    }
    if (!comparison().lines().isEmpty()) {
      sections.add(
          new Section("comparison", "RSA-2048 from the pool beside AES-256", comparison()));
    }
    sections.addAll(beside());
    return new Report(
            "At most %d s for each measurement; started %s, lasted %.0f s"
                .formatted(run.plan().seconds(), run.startedAt(), run.durationSeconds()),
            notices(),
            null,
            List.of(),
            sections,
            Report.facts(
                List.of(
                    List.of("Certificates", "EC P-256, mutual authentication"),
                    List.of("Pairs in the pool before each use", "" + run.plan().pairs())),
                run.environment()))
        .page(TEMPLATE, "Keywell load: KMIP operations a minute");
  }

  private List<SpeedOperation> operations() {
    return ofKeywell().map(SpeedRow::operation).distinct().toList();
  }

  private List<SpeedRow> rows(SpeedOperation operation) {
    return ofKeywell().filter(row -> row.operation() == operation).toList();
  }

  private Stream<SpeedRow> ofKeywell() {
    return run.rows().stream().filter(row -> row.system() == SpeedSystem.KEYWELL);
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
    return notices;
  }

  /** Says how much a measurement counted before it ended. */
  private Table counts() {
    return new Table(
        "Pairs taken from the pool",
        List.of("Clients", "New connections", "Kept connections"),
        rows(SpeedOperation.RSA_FROM_POOL).stream()
            .map(row ->
                List.of(Integer.toString(row.clients()), count(row.fresh()), count(row.kept())))
            .toList());
  }

  private static String count(SpeedTrial trial) {
    return "%d in %.2f s%s"
        .formatted(
            trial.operations(), trial.seconds(), trial.usedUp() ? ", until it was empty" : "");
  }

  private Table table(SpeedOperation operation) {
    List<SpeedRow> rows = rows(operation);
    return new Table(
        "Operations a minute",
        List.of(
            "Clients",
            "New connections",
            "Kept connections",
            "Kept/new",
            "Published: not cached",
            "cached",
            "cached/not"),
        rows.stream().map(SpeedReport::line).toList(),
        plot(rows));
  }

  private static List<String> line(SpeedRow row) {
    PublishedRate published = row.published();
    return List.of(
        Integer.toString(row.clients()),
        rate(row.fresh().perMinute()),
        rate(row.kept().perMinute()),
        ratio(row.ratio()),
        published == null ? NONE : rate(published.fresh()),
        published == null ? NONE : rate(published.kept()),
        published == null ? NONE : ratio(published.kept() / published.fresh()));
  }

  private static Plot plot(List<SpeedRow> rows) {
    return new Plot(
        "operations a minute",
        rows.stream().map(BesideReport::clients).toList(),
        List.of(
            BesideReport.bars("new connections", "blue", rows, row -> row.fresh().perMinute()),
            BesideReport.bars("kept connections", "green", rows, row -> row.kept().perMinute()),
            BesideReport.bars("published, not cached", "grey", rows, row -> row.published(false)),
            BesideReport.bars("published, cached", "orange", rows, row -> row.published(true))),
        Plot.Form.BARS);
  }

  private Table comparison() {
    List<List<String>> lines = new ArrayList<>();
    for (SpeedRow pairs : rows(SpeedOperation.RSA_FROM_POOL)) {
      for (SpeedRow keys : rows(SpeedOperation.CREATE_AES)) {
        if (keys.clients() == pairs.clients()) {
          lines.add(
              List.of(
                  Integer.toString(pairs.clients()),
                  ratio(pairs.fresh().perMinute() / keys.fresh().perMinute()),
                  ratio(pairs.kept().perMinute() / keys.kept().perMinute())));
        }
      }
    }
    return new Table(
        "RSA-2048 pairs for each AES-256 key",
        List.of("Clients", "New connections", "Kept connections"),
        lines);
  }

  private static String rate(double perMinute) {
    return "%,.0f".formatted(perMinute);
  }

  private static String ratio(double value) {
    return "%.2f".formatted(value);
  }
}
