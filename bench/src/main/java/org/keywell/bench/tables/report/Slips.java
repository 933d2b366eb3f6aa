package org.keywell.bench.tables.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.keywell.bench.tables.figure.Quantity;
import org.keywell.bench.tables.figure.ThesisRow;

/** Where the thesis's printed time a key is not what its printed total comes to. */
final class Slips {
  private static final double TOLERANCE = 0.01;

  private Slips() {}

  /** A sentence for each. */
  static List<String> in(List<ThesisRow> rows) {
    List<String> slips = new ArrayList<>();
    for (ThesisRow row : rows) {
      Optional<Double> printed = row.millis(totalled(row));
      Optional<Double> computed = fromTotal(row);
      if (printed.isPresent()
          && computed.isPresent()
          && Math.abs(printed.get() - computed.get()) > TOLERANCE * computed.get()) {
        slips.add(
            String.format(
                Locale.ROOT,
                "The thesis prints %s ms for \"%s\"; its total of %,.0f ms makes %s ms.",
                printed.get(),
                row.name(),
                row.totalMillis(),
                Millis.text(computed.get())));
      }
    }
    return slips;
  }

  /** The printed total divided by the printed count. */
  static Optional<Double> fromTotal(ThesisRow row) {
    Double total = row.totalMillis();
    Integer count = row.count();
    return total == null || count == null ? Optional.empty() : Optional.of(total / count);
  }

  private static Quantity totalled(ThesisRow row) {
    return switch (row.table()) {
      case GENERATION -> Quantity.GENERATE;
      case WRAP_AND_SAVE -> Quantity.GENERATE_WRAP_SAVE;
      case TRANSFER -> row.millis(Quantity.LOAD).isPresent() ? Quantity.LOAD : Quantity.WRITE;
      case LOAD_AND_UNWRAP -> Quantity.LOAD_AND_UNWRAP;
      case WHOLE_SIGNING, SIGNING_WHILE_UNWRAPPING -> Quantity.SIGN;
      case THREADS -> Quantity.THROUGHPUT;
    };
  }
}
