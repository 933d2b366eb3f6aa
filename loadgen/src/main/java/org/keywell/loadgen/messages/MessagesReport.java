package org.keywell.loadgen.messages;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.keywell.loadgen.report.Plot;
import org.keywell.loadgen.report.Report;
import org.keywell.loadgen.report.Report.Notice;
import org.keywell.loadgen.report.Report.Section;
import org.keywell.loadgen.report.Table;

/** A run for people: tables for a terminal, and a page. */
public record MessagesReport(MessagesDocument run) {
  private static final String TEMPLATE = "/org/keywell/loadgen/messages/messages.html";
  private static final String NONE = "–";

  /** Returns the tables in Markdown. */
  public String text() {
    StringBuilder text = new StringBuilder();
    notices().forEach(notice -> text.append(notice.text()).append("\n\n"));
    for (Section section : sections()) {
      for (Table table : section.tables()) {
        String lines = table.markdown();
        if (!lines.isEmpty()) {
          text.append("%s: %s%n%n%s".formatted(section.heading(), table.name(), lines));
        }
      }
    }
    return text.toString();
  }

  /** Returns the page. */
  public String page() {
    MessagesPlan plan = run.plan();
    return new Report(
            "%d rounds, %d s for each measurement; started %s, lasted %.0f s"
                .formatted(plan.rounds(), plan.seconds(), run.startedAt(), run.durationSeconds()),
            notices(),
            null,
            List.of(),
            sections(),
            Report.facts(
                List.of(
                    List.of("Broker", run.broker()),
                    List.of("Messages", "2,048 bytes; RSA-2048, SHA-512, AES-256-GCM, TLS 1.3")),
                run.environment()))
        .page(TEMPLATE, "Keywell load: protected messages");
  }

  private List<Notice> notices() {
    double load = run.environment().loadAverage();
    return load > 1
        ? List.of(
            new Notice(
                "The machine had other work: its load average was %.2f when the run began."
                    .formatted(load),
                false))
        : List.of();
  }

  private List<Section> sections() {
    List<Section> sections = new ArrayList<>();
    for (Layout layout : run.plan().layouts()) {
      sections.add(
          new Section(
              layout.toString(),
              layout.title(),
              table(
                  layout,
                  "Round trips a second",
                  row -> row.over(MessageTrial::perSecond).text("%,.0f"),
                  plot(layout)),
              table(
                  layout,
                  "Processor time in ms a round trip, clients + broker",
                  MessagesReport::time,
                  null),
              table(layout, "Use of all processors in %, clients + broker", this::use, null)));
    }
    sections.add(new Section("ratios", "Ratios", ratios()));
    if (run.fresh() != null) {
      sections.add(new FreshReport(run.fresh()).section());
    }
    return sections;
  }

  private Table table(
      Layout layout, String name, Function<MessageRow, String> cell, @Nullable Plot plot) {
    List<List<String>> lines = new ArrayList<>();
    for (Guard guard : run.plan().guards()) {
      List<String> line = new ArrayList<>(List.of(guard.title()));
      for (int clients : run.plan().clients()) {
        MessageRow row = row(layout, clients, guard);
        line.add(row == null ? NONE : cell.apply(row));
      }
      lines.add(line);
    }
    return new Table(name, heads("Quality"), lines, plot);
  }

  private List<String> heads(String... first) {
    return heads(run.plan().clients(), first);
  }

  static List<String> heads(List<Integer> numbers, String... first) {
    List<String> heads = new ArrayList<>(List.of(first));
    for (int clients : numbers) {
      heads.add(clients == 1 ? "1 client" : clients + " clients");
    }
    return heads;
  }

  private @Nullable MessageRow row(Layout layout, int clients, Guard guard) {
    return run.rows().stream()
        .filter(row -> row.is(layout, clients, guard))
        .findFirst()
        .orElse(null);
  }

  private static String time(MessageRow row) {
    return "%.2f + %.2f"
        .formatted(
            row.over(MessageTrial::clientMillis).median(),
            row.over(MessageTrial::brokerMillis).median());
  }

  private String use(MessageRow row) {
    double all = run.environment().cores() / 100.0;
    return "%.0f + %.0f"
        .formatted(
            row.over(one -> one.clientSeconds() / one.seconds() / all).median(),
            row.over(one -> one.brokerSeconds() / one.seconds() / all).median());
  }

  private Plot plot(Layout layout) {
    List<Plot.Line> lines = new ArrayList<>();
    for (Guard guard : run.plan().guards()) {
      List<@Nullable Double> points = new ArrayList<>();
      for (int clients : run.plan().clients()) {
        MessageRow row = row(layout, clients, guard);
        points.add(row == null ? null : row.over(MessageTrial::perSecond).median());
      }
      lines.add(new Plot.Line(guard.title(), guard.colour(), List.of(), points));
    }
    return new Plot(
        "round trips a second",
        run.plan().clients().stream().map(String::valueOf).toList(),
        lines,
        Plot.Form.LINES);
  }

  private Table ratios() {
    List<List<String>> lines = new ArrayList<>();
    for (PublishedRatio one : PublishedRatio.all()) {
      if (run.plan().layouts().contains(one.layout())
          && run.plan().guards().containsAll(List.of(one.of(), one.to()))) {
        List<String> line = new ArrayList<>();
        line.add("%s: %s/%s".formatted(one.layout(), one.of().title(), one.to().title()));
        line.add(one.published());
        for (int clients : run.plan().clients()) {
          MessageRow of = row(one.layout(), clients, one.of());
          MessageRow to = row(one.layout(), clients, one.to());
          line.add(of == null || to == null ? NONE : of.ratio(to).text());
        }
        lines.add(line);
      }
    }
    return new Table("Round trips for each of another quality", heads("Ratio", "Published"), lines);
  }
}
