package org.keywell.loadgen.messages;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.keywell.loadgen.report.Plot;
import org.keywell.loadgen.report.Report.Section;
import org.keywell.loadgen.report.Spread;
import org.keywell.loadgen.report.Table;

/** What fresh keys cost, for people. */
record FreshReport(FreshResult result) {
  private static final String NONE = "–";

  Section section() {
    return new Section(
        "fresh",
        "A fresh key for each request, ten queues, persistent",
        table(
            "Round trips a second",
            row -> row.over(one -> one.exchange().perSecond()).text("%,.1f"),
            plot()),
        table(
            "Latency in ms, median", row -> row.over(FreshTrial::medianMillis).text("%,.1f"), null),
        table(
            "Processor time in ms a round trip, clients + broker + service",
            FreshReport::time,
            null),
        ratios());
  }

  private Table table(String name, Function<FreshRow, String> cell, @Nullable Plot plot) {
    List<List<String>> lines = new ArrayList<>();
    for (KeyUse keys : KeyUse.values()) {
      List<String> line = new ArrayList<>(List.of(keys.title()));
      for (int clients : result.plan().clients()) {
        FreshRow row = row(keys, clients);
        line.add(row == null ? NONE : cell.apply(row));
      }
      lines.add(line);
    }
    return new Table(
        name, MessagesReport.heads(result.plan().clients(), "Signed with"), lines, plot);
  }

  private @Nullable FreshRow row(KeyUse keys, int clients) {
    return result.rows().stream()
        .filter(row -> row.keys() == keys && row.clients() == clients)
        .findFirst()
        .orElse(null);
  }

  private static String time(FreshRow row) {
    return "%.2f + %.2f + %.2f"
        .formatted(
            row.over(one -> one.exchange().clientMillis()).median(),
            row.over(one -> one.exchange().brokerMillis()).median(),
            row.over(FreshTrial::serviceMillis).median());
  }

  private Plot plot() {
    List<Plot.Line> lines = new ArrayList<>();
    for (KeyUse keys : KeyUse.values()) {
      List<@Nullable Double> points = new ArrayList<>();
      for (int clients : result.plan().clients()) {
        FreshRow row = row(keys, clients);
        points.add(row == null ? null : row.over(one -> one.exchange().perSecond()).median());
      }
      lines.add(new Plot.Line(keys.title(), keys.colour(), List.of(), points));
    }
    return new Plot(
        "round trips a second",
        result.plan().clients().stream().map(String::valueOf).toList(),
        lines,
        Plot.Form.LINES);
  }

  private Table ratios() {
    return new Table(
        "Round trips for each of another way",
        MessagesReport.heads(result.plan().clients(), "Ratio"),
        List.of(ratio(KeyUse.KEPT, KeyUse.POOLED), ratio(KeyUse.POOLED, KeyUse.ON_THE_FLY)));
  }

  private List<String> ratio(KeyUse of, KeyUse to) {
    List<String> line = new ArrayList<>(List.of(of + "/" + to));
    for (int clients : result.plan().clients()) {
      FreshRow one = row(of, clients);
      FreshRow other = row(to, clients);
      Spread ratio = one == null || other == null ? null : one.ratio(other);
      line.add(ratio == null ? NONE : ratio.text());
    }
    return line;
  }
}
