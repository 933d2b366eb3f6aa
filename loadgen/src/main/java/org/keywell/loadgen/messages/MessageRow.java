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
public record MessageRow(Layout layout, int clients, Guard guard, List<MessageTrial> rounds) {

  public MessageRow {
    rounds = List.copyOf(rounds);
  }

  boolean is(Layout otherLayout, int otherClients, Guard otherGuard) {
    return layout == otherLayout && clients == otherClients && guard == otherGuard;
  }

  /** Returns a figure over the rounds. */
  Spread over(ToDoubleFunction<MessageTrial> figure) {
    return Spread.of(rounds.stream().mapToDouble(figure));
  }

  /** Returns round trips for each of another row's, round by round. */
  Spread ratio(MessageRow other) {
    return Spread.of(
        IntStream.range(0, rounds.size())
            .mapToDouble(i -> rounds.get(i).perSecond() / other.rounds.get(i).perSecond()));
  }
}
