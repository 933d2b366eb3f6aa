package org.keywell.loadgen.tls;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.keywell.loadgen.report.Plot;
import org.keywell.loadgen.report.Report;
import org.keywell.loadgen.report.Report.Notice;
import org.keywell.loadgen.report.Report.Section;
import org.keywell.loadgen.report.Table;

/** A run for people: tables for a terminal, and a page. */
public record TlsReport(TlsDocument run) {
  private static final String TEMPLATE = "/org/keywell/loadgen/tls/tls.html";
  private static final double MEBIBYTE = 1 << 20;

  /** Returns the ratios and the seed's metrics in Markdown. */
  public String text() {
    String notices =
        notices().stream().map(notice -> notice.text() + "\n\n").collect(Collectors.joining());
    return notices
        + connections(run.scenarios(), null).markdown()
        + throughput().markdown()
        + metrics().markdown();
  }

  /** Returns the page. */
  public String page() {
    List<Section> sections = new ArrayList<>();
    for (FileSize size : run.scenarios().stream().map(TlsScenario::size).distinct().toList()) {
      List<TlsScenario> same =
          run.scenarios().stream().filter(one -> one.size().equals(size)).toList();
      sections.add(
          new Section(
              "file-" + size.label(), "Files of " + size.label(), connections(same, plot(same))));
    }
    sections.add(new Section("throughput", "Throughput", throughput()));
    sections.add(new Section("metrics", "Beside the published figures", metrics()));
    return new Report(
            "%d scenarios in %d rounds, %d s for each measurement; started %s, lasted %.0f s"
                .formatted(
                    run.scenarios().size(),
                    run.plan().rounds(),
                    run.plan().seconds(),
                    run.startedAt(),
                    run.durationSeconds()),
            notices(),
            null,
            List.of(),
            sections,
            Report.facts(
                List.of(
                    List.of("OpenSSL", run.openSsl()),
                    List.of("Server's key", run.plan().ecKey() ? "EC P-256" : "RSA-2048"),
                    List.of("Client's certificate", run.plan().mutual() ? "required" : "none")),
                run.environment()))
        .page(TEMPLATE, "Keywell load: TLS");
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
    run.scenarios().forEach(one -> notices.addAll(notResumed(one)));
    return notices;
  }

  private static List<Notice> notResumed(TlsScenario one) {
    Trial service = one.service().resumed();
    Trial sServer = one.sServer().resumed();
    return service.notResumed() + sServer.notResumed() == 0
        ? List.of()
        : List.of(
            new Notice(
                "%s: %d of %d connections to the service and %d of %d to s_server did not resume a session, and count as if they had."
                    .formatted(
                        one.name(),
                        service.notResumed(),
                        service.connections(),
                        sServer.notResumed(),
                        sServer.connections()),
                false));
  }

  private static Table connections(List<TlsScenario> scenarios, @Nullable Plot plot) {
    return new Table(
        "Connections a second",
        List.of(
            "Scenario",
            "New: service",
            "s_server",
            "Ratio",
            "Resumed: service",
            "s_server",
            "Ratio",
            "Resumed/new: service",
            "s_server"),
        scenarios.stream()
            .map(one ->
                List.of(
                    one.name(),
                    rate(one.service().fresh()),
                    rate(one.sServer().fresh()),
                    one.newRatio().text(),
                    rate(one.service().resumed()),
                    rate(one.sServer().resumed()),
                    one.reuseRatio().text(),
                    "%.2f".formatted(one.service().gain()),
                    "%.2f".formatted(one.sServer().gain())))
            .toList(),
        plot);
  }

  private static Plot plot(List<TlsScenario> scenarios) {
    return new Plot(
        "connections a second",
        scenarios.stream().map(TlsScenario::suite).toList(),
        List.of(
            line("service, new", "blue", scenarios, one -> one.service().fresh()),
            line("s_server, new", "grey", scenarios, one -> one.sServer().fresh()),
            line("service, resumed", "green", scenarios, one -> one.service().resumed()),
            line("s_server, resumed", "orange", scenarios, one -> one.sServer().resumed())),
        Plot.Form.BARS);
  }

  private static Plot.Line line(
      String label, String colour, List<TlsScenario> scenarios, Function<TlsScenario, Trial> of) {
    List<@Nullable Double> points = new ArrayList<>();
    scenarios.forEach(one -> points.add(of.apply(one).connectionsPerSecond()));
    return new Plot.Line(label, colour, List.of(), points);
  }

  private Table throughput() {
    return new Table(
        "Throughput in MiB/s",
        List.of("Scenario", "New: service", "s_server", "Resumed: service", "s_server"),
        run.scenarios().stream()
            .map(one ->
                List.of(
                    one.name(),
                    mebibytes(one.service().fresh()),
                    mebibytes(one.sServer().fresh()),
                    mebibytes(one.service().resumed()),
                    mebibytes(one.sServer().resumed())))
            .toList());
  }

  /** Of the scenario that has published figures; without it, of none. */
  private Table metrics() {
    List<List<String>> lines = new ArrayList<>();
    for (TlsScenario one : run.scenarios()) {
      if (one.name().equals(TlsScenario.SEED)) {
        List<TlsFigures> columns = List.of(one.service(), one.sServer(), run.seed());
        for (String name : run.seed().metrics().keySet()) {
          lines.add(row(name, TlsFigures.unit(name), columns, each -> value(each, name)));
        }
        lines.add(row("Resumed/new", "ratio", columns, TlsFigures::gain));
      }
    }
    return new Table(
        TlsScenario.SEED, List.of("Metric", "Unit", "service", "s_server", "published"), lines);
  }

  private static List<String> row(
      String name, String unit, List<TlsFigures> columns, Function<TlsFigures, Double> value) {
    List<String> row = new ArrayList<>(List.of(name, unit));
    columns.forEach(each -> row.add(TlsFigures.text(value.apply(each))));
    return row;
  }

  private static double value(TlsFigures figures, String name) {
    return Objects.requireNonNull(figures.metrics().get(name));
  }

  private static String rate(Trial trial) {
    return TlsFigures.text(trial.connectionsPerSecond());
  }

  private static String mebibytes(Trial trial) {
    return TlsFigures.text(trial.bytesPerSecond() / MEBIBYTE);
  }
}
