package org.keywell.bench.parts;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.keywell.bench.raw.Kind;
import org.keywell.bench.raw.RawCycle;
import org.keywell.bench.rig.AbRun;
import org.keywell.bench.suite.Goal;
import org.keywell.bench.suite.Ratio;
import org.keywell.bench.suite.Reading;

/** Callers' requests, end to end, compared with the same key life cycle in a C program. */
final class EndToEnd {
  /** As many as the service's handlers. */
  private static final int THREADS = 2;

  /** Sends the requests of one round; each part defines the callers and how they are answered. */
  interface Requests {
    AbRun send() throws IOException, InterruptedException;
  }

  private final RawCycle raw;
  private final Kind kind;
  private final int keys;
  private final List<AbRun> runs = new ArrayList<>();
  private final List<Double> rawRates = new ArrayList<>();

  /**
   * Creates a comparison without rounds.
   *
   * @param keys that the C program uses in a round
   */
  EndToEnd(RawCycle raw, Kind kind, int keys) {
    this.raw = raw;
    this.kind = kind;
    this.keys = keys;
  }

  /** Measures both in alternating order, since the first one affects the machine for the second. */
  AbRun round(int round, Requests requests) throws IOException, InterruptedException {
    if (round % 2 == 0) {
      rawRates.add(raw.perSecond(kind, THREADS, keys));
    }
    AbRun run = requests.send();
    runs.add(run);
    if (round % 2 != 0) {
      rawRates.add(raw.perSecond(kind, THREADS, keys));
    }
    return run;
  }

  double lastRawRate() {
    return rawRates.getLast();
  }

  Ratio ratio(String label, Goal goal) {
    List<Double> rates = runs.stream().map(AbRun::perSecond).toList();
    return Ratio.of(label, rates, rawRates, rate -> rate, goal);
  }

  /** Returns the rates and the callers' latencies. */
  List<Reading> readings(String what) {
    return List.of(
        Reading.of(what, Medians.of(runs, AbRun::perSecond), "requests/s"),
        Reading.of(what + ", p50", Medians.of(runs, AbRun::p50Millis), "ms"),
        Reading.of(what + ", p99", Medians.of(runs, AbRun::p99Millis), "ms"),
        Reading.of(what + ", C program", Medians.of(rawRates, rate -> rate), "keys/s"));
  }
}
