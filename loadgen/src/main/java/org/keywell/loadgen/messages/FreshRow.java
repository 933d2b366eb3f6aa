package org.keywell.loadgen.messages;

import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import org.keywell.loadgen.report.Spread;

/**
 * A combination that was measured.
 *
 * @param rounds a measurement of each, in order
 */
public record FreshRow(KeyUse keys, int clients, List<FreshTrial> rounds) {

  public FreshRow {
    rounds = List.copyOf(rounds);
  }

  /** Returns a figure over the rounds. */
  Spread over(ToDoubleFunction<FreshTrial> figure) {
    return Spread.of(rounds.stream().mapToDouble(figure));
  }

  /** Returns round trips for each of another row's, round by round. */
  Spread ratio(FreshRow other) {
    return Spread.of(
        IntStream.range(0, rounds.size())
            .mapToDouble(i ->
                rounds.get(i).exchange().perSecond() / other.rounds.get(i).exchange().perSecond()));
  }
}
