package org.keywell.bench.tables.report;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.keywell.bench.tables.figure.KeyBalance;
import org.keywell.bench.tables.figure.MeasuredTable;
import org.keywell.loadgen.report.Report;
import org.keywell.loadgen.report.Report.Notice;
import org.keywell.loadgen.report.Report.Section;
import org.keywell.loadgen.report.Table;

/** A run for people, and its tables for programs. */
public record TablesReport(TablesDocument run) {
  private static final String TEMPLATE = "/org/keywell/bench/tables/report/tables.html";
  private static final String TITLE = "Keywell tables: the thesis's figures and this machine's";

  /** Returns the page that displays the run. */
  public String page() {
    return new Report(
            String.format(
                Locale.ROOT,
                "%s; started %s, lasted %,.0f s",
                run.counts(),
                run.startedAt(),
                run.durationSeconds()),
            notices(),
            new Notice(keys(), !run.keys().clean()),
            List.of(),
            run.tables().stream().map(TablesReport::section).toList(),
            facts())
        .page(TEMPLATE, TITLE);
  }

  /** Returns all tables, and what became of the keys. */
  public String text() {
    StringBuilder text = new StringBuilder("\n");
    for (MeasuredTable measured : run.tables()) {
      Section section = section(measured);
      text.append(section.heading()).append("\n\n");
      section.tables().forEach(table -> text.append(table.markdown()));
      if (!section.about().isEmpty()) {
        text.append(section.about()).append("\n\n");
      }
    }
    notices().stream()
        .filter(notice -> !notice.wrong())
        .forEach(notice -> text.append(notice.text()).append('\n'));
    return text.append(keys()).append('\n').toString();
  }

  /** Returns each table as CSV, by the name of its file. */
  public Map<String, String> files() {
    Map<String, String> files = new LinkedHashMap<>();
    run.tables().forEach(table -> files.put(table.id().fileName() + ".csv", TableCsv.of(table)));
    return files;
  }

  private List<Notice> notices() {
    List<Notice> notices = new ArrayList<>();
    if (run.simulatedProfile() != null) {
      notices.add(
          new Notice(
              "In the columns that say so, times are simulated: the HSM is slowed to the profile "
                  + run.simulatedProfile()
                  + ".",
              false));
    }
    if (run.interrupted()) {
      notices.add(
          new Notice(
              "The run was interrupted: rows are missing, or are of fewer keys than planned.",
              false));
    }
    if (run.failure() != null) {
      notices.add(new Notice("The run failed: " + run.failure(), true));
    }
    return notices;
  }

  /** Says what became of the keys, in a sentence. */
  private String keys() {
    KeyBalance keys = run.keys();
    String left =
        keys.clean()
            ? "none of them is left in the HSM or in the database."
            : String.format(
                Locale.ROOT,
                "LEFT are %,d in the HSM by its own count, and %,d in the database.",
                keys.left(),
                keys.storedAfter());
    return String.format(
        Locale.ROOT,
        "%,d private keys came to be in the HSM and %,d were destroyed; %s",
        keys.made(),
        keys.destroyed(),
        left);
  }

  private static Section section(MeasuredTable measured) {
    String number = measured.id().number();
    return new Section(
        number,
        "Table %s: %s".formatted(number, measured.title()),
        null,
        List.of(
            new Table(
                "Table " + number,
                Cells.heads(measured),
                Cells.lines(measured),
                TablePlots.of(measured))),
        Cells.devices(measured));
  }

  private List<List<String>> facts() {
    List<List<String>> facts = new ArrayList<>();
    boolean real = run.simulatedProfile() == null;
    facts.add(List.of("Times", real ? "real" : "real, and simulated where a column says so"));
    run.profiles().forEach(profile -> facts.add(List.of("Profile", profile)));
    facts.add(List.of("HSM", run.hsm()));
    facts.add(List.of("Database", run.database()));
    return Report.facts(facts, run.environment());
  }
}
