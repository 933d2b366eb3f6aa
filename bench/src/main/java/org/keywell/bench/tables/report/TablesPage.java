package org.keywell.bench.tables.report;

import java.util.ArrayList;
import java.util.List;
import org.keywell.bench.tables.figure.Column;
import org.keywell.bench.tables.figure.MeasuredTable;
import org.keywell.bench.tables.figure.TableId;
import org.keywell.loadgen.plot.Markup;
import org.keywell.loadgen.plot.Scale;
import org.keywell.loadgen.report.Page;
import org.keywell.loadgen.report.Table;

/** The page on one run. */
final class TablesPage {
  private static final String TITLE = "Keywell load: the thesis's tables";

  private TablesPage() {}

  static String of(TablesDocument run) {
    StringBuilder body = new StringBuilder(heading(run));
    run.tables().forEach(entry -> body.append(section(entry)));
    body.append("<section><h2>Environment</h2>").append(environment(run)).append("</section>\n");
    return Page.of(TITLE, body.toString());
  }

  private static String heading(TablesDocument run) {
    StringBuilder html =
        new StringBuilder(
            "<h1>%s</h1><p class=\"soft\">%s; started %s, lasted %s s</p>\n"
                .formatted(
                    Markup.escape(TITLE),
                    Markup.escape(run.counts()),
                    Markup.escape(run.startedAt()),
                    Scale.text(run.durationSeconds())));
    if (run.simulatedProfile() != null) {
      notice(
          html,
          "In the columns that say so, times are simulated: the HSM is slowed to the profile "
              + run.simulatedProfile()
              + ".");
    }
    if (run.interrupted()) {
      notice(html, "The run was interrupted: rows are missing, or are of fewer keys than planned.");
    }
    if (run.failure() != null) {
      notice(html, "The run failed: " + run.failure());
    }
    html.append("<p class=\"")
        .append(run.keys().clean() ? "verdict" : "notice wrong")
        .append("\">")
        .append(Markup.escape(TablesText.keys(run.keys())))
        .append("</p>\n");
    return html.toString();
  }

  private static void notice(StringBuilder html, String text) {
    html.append("<p class=\"notice\">").append(Markup.escape(text)).append("</p>\n");
  }

  private static String section(TablesDocument.Entry entry) {
    MeasuredTable table = new MeasuredTable(entry.table(), entry.rows());
    Table figures = new Table("", Cells.heads(table));
    Cells.lines(table).forEach(figures::row);
    StringBuilder notes = new StringBuilder();
    for (String note : entry.notes()) {
      notes.append("<p class=\"sub\">").append(Markup.escape(note)).append("</p>\n");
    }
    return "<section><h2>Table %s: %s</h2><p>%s</p>\n%s%s%s</section>\n"
        .formatted(
            Markup.escape(entry.table().number()),
            Markup.escape(entry.title()),
            Markup.escape(entry.sentence()),
            plot(table),
            "<div class=\"two-words\">" + figures.html() + devices(table) + "</div>",
            notes);
  }

  private static String devices(MeasuredTable table) {
    String words = Cells.devices(table);
    return words.isEmpty() ? "" : "<p class=\"sub\">" + Markup.escape(words) + "</p>\n";
  }

  private static String plot(MeasuredTable table) {
    if (table.id() == TableId.TRANSFER) {
      return Page.legend(
              false,
              "a",
              "loaded, here",
              "due",
              "loaded, in the thesis",
              "c",
              "written, here",
              "d",
              "written, in the thesis")
          + TablesPlots.transfer(table);
    }
    if (table.id() == TableId.THREADS) {
      List<String> legend = new ArrayList<>(List.of("due", "thesis"));
      for (Column column : table.columns()) {
        legend.addAll(List.of(TablesPlots.style(column), column.label()));
      }
      return "<p class=\"sub\">Bars run from the fastest to the slowest single request, dots are the"
          + " time per request; on a logarithmic scale.</p>"
          + Page.legend(false, legend.toArray(String[]::new))
          + TablesPlots.threads(table);
    }
    return "";
  }

  private static String environment(TablesDocument run) {
    Table table =
        Table.ofFacts()
            .fact(
                "Times",
                run.simulatedProfile() == null
                    ? "real"
                    : "real, and simulated where a column says so");
    for (String profile : run.profiles()) {
      table.fact("Profile", profile);
    }
    String revision = run.environment().gitRevision();
    return table
        .fact("HSM", run.hsm())
        .fact("Database", run.database())
        .fact("Processor", run.environment().cpu() + ", " + run.environment().cores() + " cores")
        .fact("Java", run.environment().jdk())
        .fact("System", run.environment().os())
        .fact("Load average before", Scale.text(run.environment().loadAverage()))
        .fact(
            "Git revision",
            revision == null
                ? "unknown"
                : revision
                    + (Boolean.TRUE.equals(run.environment().gitDirty()) ? ", with changes" : ""))
        .html();
  }
}
