package org.keywell.bench.tables.figure;

import java.util.List;
import java.util.Optional;

/**
 * The result of one row on one device.
 *
 * @param device its name; for a simulated one, its profile
 * @param planned how many keys or requests were to be timed; fewer were if the run ended early
 */
public record Measurement(Column column, String device, int planned, List<Timed> figures) {

  /** A quantity and its figure. */
  public record Timed(Quantity quantity, Figure figure) {}

  /** Returns a quantity's figure, if it was timed. */
  public Optional<Figure> figure(Quantity quantity) {
    return figures.stream()
        .filter(timed -> timed.quantity() == quantity)
        .map(Timed::figure)
        .findFirst();
  }
}
