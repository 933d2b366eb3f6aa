package org.keywell.bench.suite;

import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A figure that is compared: a ratio by its median, or a reading with a target.
 *
 * @param rounds the least and the greatest of a ratio; empty for a reading
 */
record Held(String part, String label, double value, String unit, String rounds, Goal goal) {
  private static final double MOST_PERCENT = 250;

  static List<Held> of(SuiteDocument run) {
    return run.parts().stream()
        .flatMap(part ->
            Stream.concat(
                part.ratios().stream().map(ratio -> of(part.part(), ratio)),
                part.readings().stream()
                    .filter(reading -> reading.goal().target() != null)
                    .map(reading -> of(part.part(), reading))))
        .toList();
  }

  private static Held of(String part, Ratio ratio) {
    String rounds = Numbers.text(ratio.least()) + " to " + Numbers.text(ratio.most());
    return new Held(part, ratio.label(), ratio.median(), "", rounds, ratio.goal());
  }

  private static Held of(String part, Reading reading) {
    return new Held(part, reading.label(), reading.value(), reading.unit(), "", reading.goal());
  }

  boolean hasTarget() {
    return goal.target() != null;
  }

  boolean isMet() {
    return goal.isMetBy(value);
  }

  /** Formats the value, with its unit. */
  String text() {
    return unit.isEmpty() ? Numbers.text(value) : Numbers.text(value) + " " + unit;
  }

  /** Returns how far the measured or another value got, in percent of the target, with a limit. */
  @Nullable Double percent(@Nullable Double of) {
    Double target = goal.target();
    return of == null || target == null
        ? null
        : Math.min(MOST_PERCENT, 100 * (goal.isUpwards() ? of / target : target / of));
  }
}
