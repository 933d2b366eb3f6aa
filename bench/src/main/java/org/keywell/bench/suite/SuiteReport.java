package org.keywell.bench.suite;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.keywell.loadgen.report.Plot;
import org.keywell.loadgen.report.Plot.Line;
import org.keywell.loadgen.report.Report;
import org.keywell.loadgen.report.Report.Notice;
import org.keywell.loadgen.report.Report.Section;
import org.keywell.loadgen.report.Table;

/** A run for people: a page, and Markdown for terminals and documents. */
public record SuiteReport(SuiteDocument run) {
  private static final String TEMPLATE = "/org/keywell/bench/suite/suite.html";
  private static final String TITLE = "Keywell bench: how near to the limit";

  /** Returns ratios with their spread, and the other figures. */
  public String text() {
    StringBuilder text = new StringBuilder();
    if (run.busy()) {
      text.append("**Not to be published:** ")
          .append(busy())
          .append(System.lineSeparator().repeat(2));
    }
    text.append(held(Held.of(run), null).markdown()).append(told().markdown());
    run.parts().stream()
        .flatMap(part -> Steps.of(part.readings()).stream())
        .forEach(steps -> text.append(steps.table().markdown()));
    run.parts().stream()
        .filter(part -> part.failure() != null)
        .forEach(part ->
            text.append(part.part())
                .append(" was not measured: ")
                .append(part.failure())
                .append(System.lineSeparator()));
    return text.toString();
  }

  private static Table held(List<Held> held, @Nullable Plot plot) {
    return new Table(
        "Goals",
        List.of("", "Compared", "Median", "Rounds", "Target", "Stretch"),
        held.stream()
            .map(one ->
                List.of(
                    one.part(),
                    one.label(),
                    one.text() + (one.isMet() ? "" : " (missed)"),
                    one.rounds(),
                    Numbers.text(one.goal().target()),
                    Numbers.text(one.goal().stretch())))
            .toList(),
        plot);
  }

  private Table told() {
    return new Table(
        "",
        List.of("", "Measured", "", "Unit"),
        run.parts().stream()
            .flatMap(part ->
                part.readings().stream()
                    .filter(one -> one.goal().target() == null && !Steps.has(one))
                    .map(one ->
                        List.of(part.part(), one.label(), Numbers.text(one.value()), one.unit())))
            .toList());
  }

  /** Returns the page that displays the run. */
  public String page() {
    List<Held> goals = Held.of(run).stream().filter(Held::hasTarget).toList();
    List<Section> sections = new ArrayList<>();
    Notice verdict = null;
    if (!goals.isEmpty()) {
      long met = goals.stream().filter(Held::isMet).count();
      verdict = new Notice("%d of %d targets are met.".formatted(met, goals.size()), false);
      Table table = held(goals, plot(goals));
      sections.add(new Section("goals", "How near it comes", null, List.of(table), ""));
    }
    run.parts().forEach(part -> sections.add(section(part)));
    return new Report(
            "%d parts in %d rounds; started %s, lasted %s s"
                .formatted(
                    run.parts().size(),
                    run.rounds(),
                    run.startedAt(),
                    Numbers.text(run.durationSeconds())),
            notices(),
            verdict,
            List.of(),
            sections,
            facts())
        .page(TEMPLATE, TITLE);
  }

  private String busy() {
    return "the machine had other work; its load average was %s when the run began."
        .formatted(Numbers.text(run.loadAverage()));
  }

  private List<Notice> notices() {
    List<Notice> notices = new ArrayList<>();
    if (run.busy()) {
      notices.add(new Notice("These figures are not to be published: " + busy(), false));
    }
    if (run.interrupted()) {
      notices.add(new Notice("The run was interrupted: parts are missing.", false));
    }
    String failed =
        run.parts().stream()
            .filter(part -> part.failure() != null)
            .map(MeasuredPart::part)
            .collect(Collectors.joining(", "));
    if (!failed.isEmpty()) {
      notices.add(new Notice("Not measured: " + failed + ".", true));
    }
    return notices;
  }

  private static Plot plot(List<Held> goals) {
    Line measured = new Line("measured", "blue", List.of(), points(goals, Held::value));
    Line stretch =
        new Line("stretch", "grey", List.of(), points(goals, one -> one.goal().stretch()));
    List<String> names = goals.stream().map(one -> one.part() + "  " + one.label()).toList();
    return new Plot("percent of the target", names, List.of(measured, stretch), Plot.Form.BARS);
  }

  private static List<@Nullable Double> points(
      List<Held> goals, Function<Held, @Nullable Double> value) {
    List<@Nullable Double> points = new ArrayList<>();
    goals.forEach(one -> points.add(one.percent(value.apply(one))));
    return points;
  }

  private static Section section(MeasuredPart part) {
    List<Table> tables = new ArrayList<>();
    if (!part.ratios().isEmpty()) {
      tables.add(ratios(part.ratios()));
    }
    Steps.of(part.readings()).forEach(steps -> tables.add(steps.table()));
    List<Reading> alone = part.readings().stream().filter(one -> !Steps.has(one)).toList();
    if (!alone.isEmpty()) {
      tables.add(
          new Table(
              "Figures",
              List.of("figure", "measured"),
              alone.stream()
                  .map(one -> List.of(one.label(), Numbers.text(one.value()) + " " + one.unit()))
                  .toList()));
    }
    return new Section(
        part.part(),
        part.part() + ". " + part.title(),
        part.failure() == null ? null : "It was not measured: " + part.failure(),
        tables,
        "It took " + Numbers.text(part.seconds()) + " s.");
  }

  private static Table ratios(List<Ratio> ratios) {
    return new Table(
        "Ratios",
        List.of("ratio", "median", "least", "most", "round by round"),
        ratios.stream()
            .map(ratio ->
                List.of(
                    ratio.label(),
                    Numbers.text(ratio.median()),
                    Numbers.text(ratio.least()),
                    Numbers.text(ratio.most()),
                    ratio.rounds().stream().map(Numbers::text).collect(Collectors.joining(", "))))
            .toList());
  }

  private List<List<String>> facts() {
    Machine machine = run.machine();
    return Report.facts(
        List.of(
            List.of("Memory", machine.memory()),
            List.of("System", machine.system()),
            List.of("HSM", machine.hsm()),
            List.of("OpenSSL", machine.openssl()),
            List.of("Database", machine.database())),
        run.environment());
  }
}
