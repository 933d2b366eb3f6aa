package org.keywell.loadgen.speed;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.keywell.loadgen.report.Plot;
import org.keywell.loadgen.report.Report.Section;
import org.keywell.loadgen.report.Table;

/** What was measured in turn: Keywell and PyKMIP's server, one server and two. */
record BesideReport(SpeedDocument run) {
  private static final String NONE = "–";

  Section pyKmip() {
    return section(
        SpeedSystem.PYKMIP,
        SpeedSystem.KEYWELL,
        "Beside PyKMIP's server",
        "PyKMIP's server makes no EC pairs, and has no pool.");
  }

  /** Returns tables in the form of the publication's. */
  Section twoServers() {
    return section(
        SpeedSystem.ONE_SERVER,
        SpeedSystem.TWO_SERVERS,
        "One server and two",
        "Each server may use %.2f processors.".formatted(run.plan().quota()));
  }

  /** Returns a table for each operation; ratios are those of the other to the first. */
  private Section section(SpeedSystem first, SpeedSystem other, String heading, String about) {
    String id = first == SpeedSystem.PYKMIP ? "pykmip" : "two-servers";
    String without = run.without().get(first);
    if (without != null) {
      return new Section(id, heading, without, List.of(), "");
    }
    List<Table> tables = new ArrayList<>();
    for (SpeedOperation operation : SpeedOperation.values()) {
      List<SpeedRow> rows =
          run.rows().stream()
              .filter(row -> row.system() == other && row.operation() == operation)
              .toList();
      if (!rows.isEmpty()) {
        tables.add(table(operation, first, other, rows));
      }
    }
    return new Section(id, heading, null, tables, about);
  }

  private Table table(
      SpeedOperation operation, SpeedSystem first, SpeedSystem other, List<SpeedRow> rows) {
    List<String> heads = new ArrayList<>(List.of("Clients"));
    for (String what : List.of(first.label(), other.label(), "Ratio")) {
      heads.addAll(List.of(what + ": new", "kept"));
    }
    boolean published = other == SpeedSystem.TWO_SERVERS;
    if (published) {
      heads.addAll(List.of("Published ratio: not cached", "cached"));
    }
    List<List<String>> lines = new ArrayList<>();
    for (SpeedRow row : rows) {
      SpeedRow to = same(first, row).orElse(null);
      List<String> line = new ArrayList<>(List.of(Integer.toString(row.clients())));
      line.addAll(List.of(rate(to, false), rate(to, true), rate(row, false), rate(row, true)));
      line.addAll(List.of(ratio(row, to, false), ratio(row, to, true)));
      PublishedRate of = row.published();
      if (published) {
        line.add(of == null ? NONE : "%.2f".formatted(of.twoFresh() / of.fresh()));
        line.add(of == null ? NONE : "%.2f".formatted(of.twoKept() / of.kept()));
      }
      lines.add(line);
    }
    return new Table(
        operation.label() + ", operations a minute",
        heads,
        lines,
        new Plot(
            "operations a minute",
            rows.stream().map(BesideReport::clients).toList(),
            List.of(
                bars(first.label() + ", new", "blue", rows, row -> perMinute(first, row, false)),
                bars(first.label() + ", kept", "green", rows, row -> perMinute(first, row, true)),
                bars(other.label() + ", new", "grey", rows, row -> row.perMinute(false)),
                bars(other.label() + ", kept", "orange", rows, row -> row.perMinute(true))),
            Plot.Form.BARS));
  }

  /** Returns the first system's row; pairs from the pool are compared with those without. */
  private Optional<SpeedRow> same(SpeedSystem first, SpeedRow row) {
    SpeedOperation operation =
        row.operation() == SpeedOperation.RSA_FROM_POOL
            ? SpeedOperation.RSA_WITHOUT_POOL
            : row.operation();
    return run.rows().stream()
        .filter(one -> one.system() == first && one.operation() == operation)
        .filter(one -> one.clients() == row.clients())
        .findFirst();
  }

  private @Nullable Double perMinute(SpeedSystem first, SpeedRow row, boolean kept) {
    return same(first, row).map(one -> one.perMinute(kept)).orElse(null);
  }

  private static String rate(@Nullable SpeedRow row, boolean kept) {
    return row == null ? NONE : "%,.0f".formatted(row.perMinute(kept));
  }

  private static String ratio(SpeedRow row, @Nullable SpeedRow to, boolean kept) {
    return to == null ? NONE : "%.2f".formatted(row.perMinute(kept) / to.perMinute(kept));
  }

  static String clients(SpeedRow row) {
    return row.clients() + (row.clients() == 1 ? " client" : " clients");
  }

  /** Returns a bar of each row. */
  static Plot.Line bars(
      String label, String colour, List<SpeedRow> rows, Function<SpeedRow, @Nullable Double> of) {
    List<@Nullable Double> points = new ArrayList<>();
    rows.forEach(row -> points.add(of.apply(row)));
    return new Plot.Line(label, colour, List.of(), points);
  }
}
