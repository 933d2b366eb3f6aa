package org.keywell.bench.parts;

import java.util.List;
import java.util.function.ToDoubleFunction;
import org.keywell.bench.suite.Goal;
import org.keywell.bench.suite.Ratio;

/** Medians over rounds. */
final class Medians {

  private Medians() {}

  static <T> double of(List<T> rounds, ToDoubleFunction<T> figure) {
    return new Ratio(
            "rounds", rounds.stream().map(round -> figure.applyAsDouble(round)).toList(), Goal.NONE)
        .median();
  }
}
