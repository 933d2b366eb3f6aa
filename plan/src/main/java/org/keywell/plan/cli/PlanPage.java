package org.keywell.plan.cli;

import static java.util.stream.Collectors.toMap;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.keywell.loadgen.report.Part.Figure;
import org.keywell.loadgen.report.Part.Texts;
import org.keywell.loadgen.report.Plot;
import org.keywell.loadgen.report.Report;
import org.keywell.loadgen.report.Report.Section;
import org.keywell.loadgen.report.Table;
import org.keywell.loadgen.text.TextTemplate;
import org.keywell.plan.Plan;
import org.keywell.plan.PlanSettings;
import org.keywell.plan.Setting;

/** A plan's page; the templates define its texts and tables. */
record PlanPage(Plan plan, PlanSettings settings) {
  private static final TextTemplate TABLES = TextTemplate.resource("/org/keywell/plan/page.txt");
  private static final List<String> DAYS = List.of("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun");

  String html() {
    Map<String, List<List<String>>> tables = tables();
    Plan.WeekCourse week = plan.week();
    Figure stored =
        new Figure(
            "Key pool over the week",
            "Keys that are stored.",
            tables.getOrDefault("stored", List.of()),
            course("keys", line("stored keys", "green", week.depthKeys(), false)));
    Figure used =
        new Figure(
            "Keys used and made",
            "Keys are made in the time that signing leaves.",
            tables.getOrDefault("used", List.of()),
            course(
                "keys per second",
                line("used, by signing", "blue", week.usedPerSecond(), true),
                line("made", "green", week.madePerSecond(), true)));
    List<Section> sections = new ArrayList<>();
    sections.add(new Section("conclusions", "What follows", new Texts(plan.conclusions())));
    sections.add(new Section("week", "Hour by hour", stored, used));
    sections.add(
        new Section(
            "hours",
            "Queue and latency",
            withHeads("Queue and latency", tables.getOrDefault("hours", List.of()))));
    sections.add(
        new Section(
            "counts",
            "How many HSMs",
            new Table("How many HSMs", List.of(), tables.getOrDefault("counts", List.of())),
            withHeads("More HSMs, fewer keys", tables.getOrDefault("choices", List.of()))));
    if (!plan.thesisCase().isEmpty()) {
      sections.add(new Section("thesis", "The thesis’s case", new Texts(plan.thesisCase())));
    }
    Table input = new Table("Input", List.of(), tables.getOrDefault("input", List.of()));
    sections.add(new Section("input", "Input", input));
    List<List<String>> tiles = tables.getOrDefault("tiles", List.of());
    return new Report("", List.of(), null, tiles, sections, List.of())
        .page("/org/keywell/plan/plan.html", "Keywell plan");
  }

  /** Returns the rows of each table, by the name above it in the template. */
  private Map<String, List<List<String>>> tables() {
    List<Double> depth = plan.week().depthKeys();
    String text =
        TABLES.with(
            Map.of(
                "plan", plan,
                "settings", SettingLine.of(settings),
                "hsms", Integer.parseInt(settings.text(Setting.HSMS)),
                "atTheStart", depth.getFirst(),
                "fewest", Collections.min(depth)));
    return Stream.of(text.split("\n\n", -1))
        .map(block -> block.lines().map(line -> List.of(line.split("\\|", -1))).toList())
        .collect(toMap(rows -> rows.getFirst().getFirst(), rows -> rows.subList(1, rows.size())));
  }

  private static Table withHeads(String name, List<List<String>> rows) {
    return new Table(name, rows.getFirst(), rows.subList(1, rows.size()));
  }

  private static Plot course(String unit, Plot.Line... lines) {
    return new Plot(unit, DAYS, List.of(lines), Plot.Form.COURSE);
  }

  private static Plot.Line line(String label, String colour, List<Double> values, boolean level) {
    List<@Nullable Double> points = new ArrayList<@Nullable Double>(values);
    return new Plot.Line(label, colour, List.of(), points, level);
  }
}
