package org.keywell.bench.parts;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.ToDoubleFunction;
import org.keywell.bench.rig.AbRun;
import org.keywell.bench.rig.BenchService;
import org.keywell.bench.rig.CpuTime;
import org.keywell.bench.rig.DatabaseVolume;
import org.keywell.bench.rig.Rig;
import org.keywell.bench.rig.ServiceSettings;
import org.keywell.bench.rig.Stock;
import org.keywell.bench.suite.Goal;
import org.keywell.bench.suite.Part;
import org.keywell.bench.suite.PartResult;
import org.keywell.bench.suite.Ratio;
import org.keywell.bench.suite.Reading;

/**
 * Part n: what the log that nobody can edit costs. Two services run at the same time, one of which
 * keeps a log, and take turns. Then the log is made long, and proofs are fetched from it.
 */
public record LogPart(Rig rig) implements Part {
  private static final int ROUND_REQUESTS = 2_000;

  /** Also in runs of a quarter of the usual scale, or more. */
  private static final int LONG = 1_000_000;

  private static final int CALLERS = 8;

  /** By then the log has what was signed, and PostgreSQL's statistics count it. */
  private static final Duration SETTLED = Duration.ofMillis(1_500);

  private static final Goal THROUGHPUT = Goal.of(0.95, 1);

  @Override
  public PartResult measure(int rounds) throws IOException, InterruptedException {
    int left = rig.stock().ec() - rig.warmUp().ec();
    int requests = Math.min(rig.scaled(ROUND_REQUESTS), left / rounds);
    try (BenchService plain = rig.startWarm("plain", new ServiceSettings().environment());
        BenchService logging =
            rig.startWarm(
                "logging",
                new ServiceSettings().with("KEYWELL_LOG_ORIGIN", newOrigin()).environment())) {
      List<Turn> without = new ArrayList<>();
      List<Turn> with = new ArrayList<>();
      for (int round = 0; round < rounds; round++) {
        if (round % 2 == 0) {
          without.add(turn(plain, requests));
        }
        with.add(turn(logging, requests));
        if (round % 2 != 0) {
          without.add(turn(plain, requests));
        }
        rig.tell(
            "round %d of %d: without a log %.0f, with one %.0f requests/s"
                .formatted(
                    round + 1,
                    rounds,
                    without.getLast().run().perSecond(),
                    with.getLast().run().perSecond()));
      }
      int entries = Math.min(LONG, rig.scaled(4 * LONG));
      rig.tell("adding %,d entries to the log".formatted(entries));
      logging.lengthenLog(entries);
      OneByOne _ = ProofTimes.measure(logging, entries);
      return result(with, without, entries, ProofTimes.measure(logging, entries));
    }
  }

  /** The token has seen the log of an earlier run, of which this run's database has nothing. */
  private static String newOrigin() {
    return "bench.example/" + UUID.randomUUID();
  }

  private Turn turn(BenchService service, int requests) throws IOException, InterruptedException {
    try {
      DatabaseVolume volume = service.volume();
      CpuTime cpu = service.cpu();
      AbRun run = rig.driver().run(service.url(), Stock.EC, requests, CALLERS);
      Thread.sleep(SETTLED);
      return new Turn(requests, run, service.cpu().since(cpu), service.volume().since(volume));
    } catch (IOException e) {
      throw service.explain(e, "the load");
    }
  }

  private record Turn(int requests, AbRun run, CpuTime cpu, DatabaseVolume volume) {
    double perRequest(long all) {
      return (double) all / requests;
    }
  }

  private static PartResult result(
      List<Turn> with, List<Turn> without, int entries, OneByOne proofs) {
    String label = ", with the log / without";
    List<Reading> readings = new ArrayList<>();
    add(readings, "without", without);
    add(readings, "with", with);
    String proof = "a proof among %,d entries".formatted(entries);
    readings.add(Reading.of(proof + ", p50", proofs.p50Millis(), "ms"));
    readings.add(Reading.of(proof + ", p99", proofs.p99Millis(), "ms"));
    return new PartResult(
        List.of(
            Ratio.of("throughput" + label, with, without, t -> t.run().perSecond(), THROUGHPUT),
            Ratio.of("p50" + label, with, without, t -> t.run().p50Millis(), Goal.NONE),
            Ratio.of("p99" + label, with, without, t -> t.run().p99Millis(), Goal.NONE)),
        readings);
  }

  private static void add(List<Reading> readings, String what, List<Turn> turns) {
    readings.add(reading(what, turns, turn -> turn.run().perSecond(), "requests/s"));
    readings.add(reading(what + ", p50", turns, turn -> turn.run().p50Millis(), "ms"));
    readings.add(reading(what + ", p99", turns, turn -> turn.run().p99Millis(), "ms"));
    readings.add(
        reading(
            what + ", processor time of Java",
            turns,
            turn -> turn.perRequest(turn.cpu().javaMicros()),
            "µs"));
    readings.add(
        reading(
            what + ", of PostgreSQL",
            turns,
            turn -> turn.perRequest(turn.cpu().postgresMicros()),
            "µs"));
    readings.add(
        reading(what + ", stored", turns, t -> t.perRequest(t.volume().stored()), "bytes"));
    readings.add(
        reading(
            what + ", write-ahead log", turns, t -> t.perRequest(t.volume().logged()), "bytes"));
    readings.add(
        reading(what + ", rows written", turns, t -> t.perRequest(t.volume().rows()), "rows"));
  }

  private static Reading reading(
      String what, List<Turn> turns, ToDoubleFunction<Turn> figure, String unit) {
    return Reading.of(what, Medians.of(turns, figure), unit);
  }
}
