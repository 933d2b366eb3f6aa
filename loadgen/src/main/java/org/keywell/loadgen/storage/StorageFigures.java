package org.keywell.loadgen.storage;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.keywell.loadgen.report.Spread;

/** What was measured and seen. */
public record StorageFigures(
    List<Round> rounds, List<Start> localStarts, List<Start> xksStarts, List<Promise> promises) {

  /** Both servers, one right after the other. */
  public record Round(PgbenchResult local, PgbenchResult xks) {}

  /**
   * How long a database's start took, in milliseconds.
   *
   * @param unwrap from asking for the data key to having it
   * @param unlock from asking for the data key to reading the directory
   * @param start of PostgreSQL after that, until it is ready
   */
  public record Start(double unwrap, double unlock, double start) {}

  /**
   * What happens to a database whose key manager does not give its key.
   *
   * @param event what was done
   * @param promised what should come of it
   * @param seen what came of it
   */
  public record Promise(String event, String promised, String seen, boolean kept) {}

  public StorageFigures {
    rounds = List.copyOf(rounds);
    localStarts = List.copyOf(localStarts);
    xksStarts = List.copyOf(xksStarts);
    promises = List.copyOf(promises);
  }

  /** Whether all was as promised. */
  public boolean allKept() {
    return promises.stream().allMatch(Promise::kept);
  }

  /** Returns a figure of the database with the local key manager. */
  Spread local(ToDoubleFunction<PgbenchResult> figure) {
    return Spread.of(rounds.stream().mapToDouble(round -> figure.applyAsDouble(round.local())));
  }

  /** Returns the same of the database with the external key store. */
  Spread xks(ToDoubleFunction<PgbenchResult> figure) {
    return Spread.of(rounds.stream().mapToDouble(round -> figure.applyAsDouble(round.xks())));
  }

  /**
   * Returns transactions a second with the external key store for each with the local key manager:
   * the ratio of the medians, and the least and the most of a round.
   */
  @JsonProperty
  public Spread ratio() {
    Spread ofRounds =
        Spread.of(
            rounds.stream()
                .mapToDouble(round -> round.xks().perSecond() / round.local().perSecond()));
    return new Spread(
        xks(PgbenchResult::perSecond).median() / local(PgbenchResult::perSecond).median(),
        ofRounds.least(),
        ofRounds.most());
  }
}
