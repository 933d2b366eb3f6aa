package org.keywell.loadgen.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.keywell.loadgen.plot.Scale;
import org.keywell.loadgen.watch.PoolPoint;

/** The figures behind the plots, as tables. */
final class RunTables {
  private static final int MAX_ROWS = 60;

  private RunTables() {}

  static String steps(RunDocument run) {
    Table table =
        new Table(
            "",
            List.of(
                "step",
                "requests",
                "due /s",
                "signed /s",
                "signed",
                "refused",
                "failed",
                "timeouts",
                "conn.",
                "p50 ms",
                "p90 ms",
                "p99 ms",
                "max ms",
                "p99 of send",
                "≤ 300 ms",
                "≤ 3,000 ms"));
    for (StepFigures step : run.steps()) {
      Figures f = step.figures();
      List<String> row = new ArrayList<>();
      row.add(step.number() + (step.inferred() ? "*" : ""));
      row.add(step.from() + "–" + step.to());
      row.add(Scale.text(step.perSecondDue()));
      row.add(Scale.text(step.perSecondAchieved()));
      IntStream.of(f.signed(), f.refused(), f.failed(), f.timeouts(), f.connectionErrors())
          .mapToObj(RunWords::count)
          .forEach(row::add);
      row.addAll(RunWords.latencyCells(f.fromDue()));
      Latency fromSend = f.fromSend();
      row.add(fromSend == null ? "–" : Scale.text(fromSend.p99()));
      row.add(RunWords.percent(f.share300()));
      row.add(RunWords.percent(f.share3000()));
      table.row(row);
    }
    return table.html();
  }

  static String stages(RunDocument run) {
    Table table =
        new Table("", List.of("stage", "requests", "p50 ms", "mean ms", "p99 ms", "max ms"));
    for (StageFigures stage : run.stages()) {
      table.row(
          List.of(
              stage.stage(),
              RunWords.count(stage.requests()),
              stage.p50() == null ? "–" : Scale.text(stage.p50()),
              Scale.text(stage.mean()),
              Scale.text(stage.p99()),
              Scale.text(stage.max())));
    }
    return table.html();
  }

  static String problems(RunDocument run) {
    if (run.totals().problems().isEmpty()) {
      return "";
    }
    Table table = new Table("", List.of("problem", "times"));
    for (Map.Entry<String, Integer> problem : run.totals().problems().entrySet()) {
      table.row(List.of(problem.getKey(), RunWords.count(problem.getValue())));
    }
    return table.html();
  }

  static String rates(RunDocument run) {
    Table table = new Table("", List.of("from s", "to s", "due /s", "signed /s"));
    for (RatePoint point : thinned(run.rates())) {
      table.row(
          List.of(
              Scale.text(point.from()),
              Scale.text(point.to()),
              Scale.text(point.due()),
              Scale.text(point.achieved())));
    }
    return table.html();
  }

  static String pool(RunDocument run) {
    Table table = new Table("", List.of("seconds", "queue", "stored", "loaded"));
    for (PoolPoint point : thinned(run.pool())) {
      table.row(
          List.of(
              Scale.text(point.seconds()),
              RunWords.count(point.queueLength()),
              RunWords.count(point.stored()),
              RunWords.count(point.loaded())));
    }
    return table.html();
  }

  /** At most as many as a person reads; run.json has all. */
  private static <T> List<T> thinned(List<T> all) {
    int every = Math.ceilDiv(Math.max(all.size(), 1), MAX_ROWS);
    return IntStream.range(0, all.size()).filter(i -> i % every == 0).mapToObj(all::get).toList();
  }
}
