package org.keywell.bench.tables.figure;

import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import org.keywell.bench.tables.figure.PrintedCsv.Line;
import org.keywell.bench.tables.figure.ThesisRow.Kind;

/** The figures of the thesis's section 2.10 as printed, including its errors. */
public final class ThesisTables {

  private ThesisTables() {}

  /** Returns the rows of a table, in printed order. */
  public static List<ThesisRow> rows(TableId table) {
    return switch (table) {
      case GENERATION -> read("table-2-4-key-generation.csv", ThesisTables::generation);
      case WRAP_AND_SAVE -> read("table-2-5-generate-wrap-save.csv", ThesisTables::wrapAndSave);
      case TRANSFER -> read("table-2-6-database-transfer.csv", ThesisTables::transfer);
      case LOAD_AND_UNWRAP -> read("table-2-7-load-and-unwrap.csv", ThesisTables::loadAndUnwrap);
      case WHOLE_SIGNING -> signings(table, "no");
      case SIGNING_WHILE_UNWRAPPING -> signings(table, "yes");
      case THREADS -> read("table-2-10-signing-threads.csv", ThesisTables::threads);
    };
  }

  private static List<ThesisRow> read(String resource, Function<Line, ThesisRow> row) {
    return PrintedCsv.read(resource).stream().map(row).toList();
  }

  private static ThesisRow generation(Line line) {
    int count = line.count("key_pairs");
    return row(
        TableId.GENERATION,
        "%,d keys",
        count,
        line,
        Kind.PLAIN,
        Printed.time(Quantity.GENERATE, line.number("ms_per_key_pair")));
  }

  private static ThesisRow wrapAndSave(Line line) {
    return row(
        TableId.WRAP_AND_SAVE,
        "%,d keys",
        line.count("keys"),
        line,
        Kind.PLAIN,
        Printed.time(Quantity.GENERATE, line.number("generate_ms_per_key")),
        Printed.time(Quantity.WRAP_AND_SAVE, line.number("wrap_and_save_ms_per_key")),
        Printed.time(Quantity.GENERATE_WRAP_SAVE, line.number("generate_wrap_save_ms")));
  }

  private static ThesisRow transfer(Line line) {
    boolean load = line.text("direction").equals("load");
    return row(
        TableId.TRANSFER,
        load ? "load %,d keys" : "write %,d keys",
        line.count("key_pairs"),
        line,
        load ? Kind.LOAD : Kind.WRITE,
        Printed.time(load ? Quantity.LOAD : Quantity.WRITE, line.number("ms_per_key_pair")));
  }

  private static ThesisRow loadAndUnwrap(Line line) {
    int count = line.count("key_pairs");
    return row(
        TableId.LOAD_AND_UNWRAP,
        "%,d keys",
        count,
        line,
        Kind.PLAIN,
        Printed.time(Quantity.LOAD, line.number("load_from_db_ms") / count),
        Printed.time(Quantity.CIPHER_INIT, line.number("cipher_init_ms") / count),
        Printed.time(Quantity.UNWRAP, line.number("unwrap_ms_per_key")),
        Printed.time(Quantity.LOAD_AND_UNWRAP, line.number("total_ms_per_key")));
  }

  private static List<ThesisRow> signings(TableId table, String whileUnwrapping) {
    return PrintedCsv.read("table-2-8-2-9-2-11-signing.csv").stream()
        .filter(line -> line.text("while_unwrapping").equals(whileUnwrapping))
        .map(line -> signing(table, line))
        .toList();
  }

  private static ThesisRow signing(TableId table, Line line) {
    boolean remote = line.text("place").equals("Stockholm");
    return row(
        table,
        remote ? "Stockholm, %,d requests" : "Malmö, %,d requests",
        line.count("requests"),
        line,
        remote ? Kind.REMOTE : Kind.NEAR,
        Printed.time(Quantity.SIGN, line.number("ms_per_request")));
  }

  private static ThesisRow threads(Line line) {
    int threads = line.count("threads");
    return new ThesisRow(
        TableId.THREADS,
        threads == 1 ? "1 thread" : threads + " threads",
        null,
        null,
        threads,
        Kind.REMOTE,
        List.of(
            Printed.time(Quantity.THROUGHPUT, line.number("mean_ms_per_request")),
            new Printed(
                Quantity.SINGLE, line.number("spread_ms_from"), line.number("spread_ms_to"))));
  }

  @SuppressWarnings("AnnotateFormatMethod") // the annotation would need a library at run time
  private static ThesisRow row(
      TableId table, String name, int count, Line line, Kind kind, Printed... printed) {
    return new ThesisRow(
        table,
        String.format(Locale.ROOT, name, count),
        count,
        line.number("total_ms"),
        1,
        kind,
        List.of(printed));
  }
}
