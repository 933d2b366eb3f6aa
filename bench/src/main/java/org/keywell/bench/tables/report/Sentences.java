package org.keywell.bench.tables.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.stream.IntStream;
import org.keywell.bench.tables.figure.Column;
import org.keywell.bench.tables.figure.Figure;
import org.keywell.bench.tables.figure.MeasuredRow;
import org.keywell.bench.tables.figure.MeasuredTable;
import org.keywell.bench.tables.figure.Quantity;
import org.keywell.bench.tables.figure.TableId;
import org.keywell.bench.tables.figure.ThesisRow.Kind;
import org.keywell.loadgen.plot.Scale;
import org.keywell.loadgen.report.SampleSize;

/**
 * What the figures of each table say, in a sentence or two: computed from them, whatever they are.
 */
final class Sentences {
  private final List<MeasuredTable> tables;

  /**
   * @param tables all of a run: some are told beside each other
   */
  Sentences(List<MeasuredTable> tables) {
    this.tables = tables;
  }

  /** The table's sentence; what it rests on is said instead if that is too little for one. */
  String on(MeasuredTable table) {
    OptionalInt fewest = fewest(table);
    if (fewest.isPresent() && SampleSize.isTooSmall(fewest.getAsInt())) {
      return "Too few to compare (n = %d): it takes %d."
          .formatted(fewest.getAsInt(), SampleSize.LEAST);
    }
    return switch (table.id()) {
      case GENERATION -> generation(table);
      case WRAP_AND_SAVE -> wrapAndSave(table);
      case TRANSFER -> transfer(table);
      case LOAD_AND_UNWRAP -> loadAndUnwrap(table);
      case WHOLE_SIGNING -> wholeSigning(table);
      case THREADS -> new ThreadsSentence(table).text();
      case SIGNING_WHILE_UNWRAPPING -> whileUnwrapping(table);
    };
  }

  /** The least number of keys or requests that a figure of the sentence is of. */
  private static OptionalInt fewest(MeasuredTable table) {
    IntStream counts =
        switch (table.id()) {
          case GENERATION -> ofColumns(table, Quantity.GENERATE);
          case WRAP_AND_SAVE -> ofColumns(table, Quantity.WRAP_AND_SAVE);
          case LOAD_AND_UNWRAP -> ofColumns(table, Quantity.LOAD_AND_UNWRAP);
          case WHOLE_SIGNING ->
              IntStream.concat(
                  ofColumns(ofKind(table, Kind.REMOTE), Quantity.SIGN),
                  ofColumns(ofKind(table, Kind.NEAR), Quantity.SIGN));
          case SIGNING_WHILE_UNWRAPPING -> ofColumns(table, Quantity.SIGN);
          case TRANSFER ->
              IntStream.concat(ofRows(table, Quantity.LOAD), ofRows(table, Quantity.WRITE));
          case THREADS -> ofRows(table, Quantity.THROUGHPUT);
        };
    return counts.min();
  }

  private static IntStream ofColumns(MeasuredTable table, Quantity quantity) {
    return table.columns().stream()
        .mapToInt(column -> table.count(column, quantity))
        .filter(count -> count > 0);
  }

  private static IntStream ofRows(MeasuredTable table, Quantity quantity) {
    return table.rows().stream()
        .flatMap(row -> row.measurements().stream())
        .flatMap(measurement -> measurement.figure(quantity).stream())
        .mapToInt(Figure::count);
  }

  private static String generation(MeasuredTable table) {
    Quantity generate = Quantity.GENERATE;
    List<String> takes =
        Phrases.eachColumn(table, generate, c -> Phrases.typical(table, c, generate));
    takes.add(Phrases.printed(table, generate));
    List<String> rates =
        Phrases.eachColumn(table, generate, c -> rate(table.typicalMillis(c, generate)));
    rates.add(rate(table.greatestPrinted(generate)) + " to " + rate(table.leastPrinted(generate)));
    return "A key pair takes %s: %s of them a second."
        .formatted(Phrases.join(takes), Phrases.join(rates));
  }

  private static String rate(OptionalDouble millis) {
    return Scale.text(1e3 / millis.orElse(Double.NaN));
  }

  private static String wrapAndSave(MeasuredTable table) {
    List<String> parts =
        Phrases.eachColumn(
            table,
            Quantity.WRAP_AND_SAVE,
            c ->
                "%s %s (%s)"
                    .formatted(
                        Phrases.percent(
                            share(
                                table.typicalMillis(c, Quantity.WRAP_AND_SAVE),
                                table.typicalMillis(c, Quantity.GENERATE_WRAP_SAVE))),
                        Phrases.where(c),
                        Phrases.millis(table.typicalMillis(c, Quantity.WRAP_AND_SAVE))));
    parts.add(
        printedShares(table, Quantity.WRAP_AND_SAVE, Quantity.GENERATE_WRAP_SAVE)
            + " in the thesis");
    return "Of the time until a new key is stored, wrapping and saving is "
        + Phrases.join(parts)
        + "; the rest is generation.";
  }

  private static double share(OptionalDouble part, OptionalDouble whole) {
    return part.orElse(Double.NaN) / whole.orElse(Double.NaN);
  }

  private static String printedShares(MeasuredTable table, Quantity part, Quantity whole) {
    List<Double> shares = new ArrayList<>();
    for (MeasuredRow row : table.rows()) {
      Optional<Double> of = row.thesis().millis(whole);
      row.thesis().millis(part).ifPresent(p -> shares.add(p / of.orElse(Double.NaN)));
    }
    String least = Phrases.percent(shares.stream().mapToDouble(s -> s).min().orElse(0));
    String greatest = Phrases.percent(shares.stream().mapToDouble(s -> s).max().orElse(0));
    return least.equals(greatest) ? least : least.replace(" %", "") + " to " + greatest;
  }

  private static String transfer(MeasuredTable table) {
    List<String> words = new ArrayList<>();
    block(table, Kind.LOAD, Quantity.LOAD).ifPresent(words::add);
    block(table, Kind.WRITE, Quantity.WRITE).ifPresent(words::add);
    return words.isEmpty()
        ? "With one block measured, there is nothing to compare."
        : String.join(" ", words);
  }

  /** The smallest block beside the largest one. */
  private static Optional<String> block(MeasuredTable table, Kind kind, Quantity quantity) {
    List<MeasuredRow> rows =
        table.rows().stream()
            .filter(row -> row.thesis().kind() == kind)
            .filter(row -> row.figure(Column.NATIVE, quantity).isPresent())
            .toList();
    if (rows.size() < 2) {
      return Optional.empty();
    }
    MeasuredRow small = rows.getFirst();
    MeasuredRow large = rows.getLast();
    Figure fewer = small.figure(Column.NATIVE, quantity).orElseThrow();
    Figure more = large.figure(Column.NATIVE, quantity).orElseThrow();
    double printedSmall = Slips.fromTotal(small.thesis()).orElse(Double.NaN);
    double printedLarge = Slips.fromTotal(large.thesis()).orElse(Double.NaN);
    return Optional.of(
        String.format(
            Locale.ROOT,
            "A key that is %s in a block of %,d costs %s ms, %s what it costs in a block of %,d (%s"
                + " ms); in the thesis %s ms, %s what it costs in the largest block (%s ms).",
            kind == Kind.LOAD ? "loaded" : "written",
            fewer.count(),
            Millis.text(fewer.typicalMillis()),
            Phrases.times(fewer.typicalMillis() / more.typicalMillis()),
            more.count(),
            Millis.text(more.typicalMillis()),
            Millis.text(printedSmall),
            Phrases.times(printedSmall / printedLarge),
            Millis.text(printedLarge)));
  }

  private String loadAndUnwrap(MeasuredTable table) {
    Quantity whole = Quantity.LOAD_AND_UNWRAP;
    List<String> takes =
        Phrases.eachColumn(
            table,
            whole,
            c ->
                "%s (%s of it unwrapping)"
                    .formatted(
                        Phrases.typical(table, c, whole),
                        Phrases.percent(
                            share(
                                table.typicalMillis(c, Quantity.UNWRAP),
                                table.typicalMillis(c, whole)))));
    takes.add(Phrases.printed(table, whole));
    return "A stored key is ready to sign after " + Phrases.join(takes) + beside(table) + ".";
  }

  /** How much sooner that is than a new key, if new ones were measured. */
  private String beside(MeasuredTable loading) {
    Optional<MeasuredTable> generation = table(TableId.GENERATION);
    if (generation.isEmpty() || isTooSmall(generation.get())) {
      return "";
    }
    List<String> factors = new ArrayList<>();
    for (Column column : loading.columns()) {
      OptionalDouble made = generation.get().typicalMillis(column, Quantity.GENERATE);
      OptionalDouble loaded = loading.typicalMillis(column, Quantity.LOAD_AND_UNWRAP);
      if (made.isPresent() && loaded.isPresent()) {
        factors.add(
            Phrases.times(made.getAsDouble() / loaded.getAsDouble())
                + " as long "
                + Phrases.where(column));
      }
    }
    factors.add(
        Phrases.times(
                generation.get().leastPrinted(Quantity.GENERATE).orElse(Double.NaN)
                    / loading.greatestPrinted(Quantity.LOAD_AND_UNWRAP).orElse(Double.NaN))
            + " as long or more in the thesis");
    return "; making a new one takes " + Phrases.join(factors);
  }

  private static String wholeSigning(MeasuredTable table) {
    MeasuredTable remote = ofKind(table, Kind.REMOTE);
    MeasuredTable near = ofKind(table, Kind.NEAR);
    List<String> words = new ArrayList<>();
    OptionalDouble here = table.typicalMillis(Column.NATIVE, Quantity.SIGN);
    if (here.isPresent()) {
      words.add(Phrases.millis(here) + " " + Phrases.where(Column.NATIVE));
    }
    OptionalDouble far = remote.typicalMillis(Column.SIMULATED, Quantity.SIGN);
    OptionalDouble close = near.typicalMillis(Column.SIMULATED, Quantity.SIGN);
    if (far.isPresent() && close.isPresent()) {
      words.add(
          "%s from Stockholm and %s on the spot %s, %s as long"
              .formatted(
                  Phrases.millis(far),
                  Phrases.millis(close),
                  Phrases.where(Column.SIMULATED),
                  Phrases.times(far.getAsDouble() / close.getAsDouble())));
    }
    words.add(
        "%s ms and %s ms in the thesis, %s as long"
            .formatted(
                printedRange(remote),
                printedRange(near),
                Phrases.times(
                    remote.leastPrinted(Quantity.SIGN).orElse(Double.NaN)
                        / near.leastPrinted(Quantity.SIGN).orElse(Double.NaN))));
    return "A whole signing takes " + String.join("; ", words) + ".";
  }

  private static String printedRange(MeasuredTable table) {
    return Millis.range(
        table.leastPrinted(Quantity.SIGN).orElse(Double.NaN),
        table.greatestPrinted(Quantity.SIGN).orElse(Double.NaN));
  }

  private static MeasuredTable ofKind(MeasuredTable table, Kind kind) {
    return new MeasuredTable(
        table.id(), table.rows().stream().filter(row -> row.thesis().kind() == kind).toList());
  }

  private String whileUnwrapping(MeasuredTable table) {
    Optional<MeasuredTable> alone =
        table(TableId.WHOLE_SIGNING)
            .filter(signing -> !isTooSmall(signing))
            .map(signing -> ofKind(signing, Kind.NEAR));
    List<String> words =
        Phrases.eachColumn(table, Quantity.SIGN, c -> besideUnwrapping(table, alone, c));
    words.add(Phrases.printed(table, Quantity.SIGN) + printedAlone(alone));
    return "While another thread unwraps keys, a signing takes " + String.join("; ", words) + ".";
  }

  private static String besideUnwrapping(
      MeasuredTable table, Optional<MeasuredTable> alone, Column column) {
    OptionalDouble before =
        alone.map(a -> a.typicalMillis(column, Quantity.SIGN)).orElse(OptionalDouble.empty());
    OptionalDouble beside = table.typicalMillis(column, Quantity.SIGN);
    int unwrapped =
        table.rows().stream()
            .flatMap(row -> row.figure(column, Quantity.UNWRAP_BESIDE).stream())
            .mapToInt(Figure::count)
            .sum();
    String words = Phrases.typical(table, column, Quantity.SIGN);
    if (before.isPresent()) {
      words +=
          " instead of %s (%+d %%)"
              .formatted(
                  Phrases.millis(before),
                  Math.round(100 * (beside.orElse(Double.NaN) / before.getAsDouble() - 1)));
    }
    return words + String.format(Locale.ROOT, ", beside %,d unwrapped keys", unwrapped);
  }

  private static String printedAlone(Optional<MeasuredTable> alone) {
    return alone.map(a -> " instead of " + printedRange(a) + " ms").orElse("");
  }

  private static boolean isTooSmall(MeasuredTable table) {
    OptionalInt fewest = fewest(table);
    return fewest.isPresent() && SampleSize.isTooSmall(fewest.getAsInt());
  }

  private Optional<MeasuredTable> table(TableId id) {
    return tables.stream().filter(table -> table.id() == id).findFirst();
  }
}
