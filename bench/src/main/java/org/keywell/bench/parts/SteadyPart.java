package org.keywell.bench.parts;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import org.keywell.bench.rig.BenchService;
import org.keywell.bench.rig.Rig;
import org.keywell.bench.rig.ServiceSettings;
import org.keywell.bench.rig.Stock;
import org.keywell.bench.suite.Goal;
import org.keywell.bench.suite.Part;
import org.keywell.bench.suite.PartResult;
import org.keywell.bench.suite.Ratio;
import org.keywell.bench.suite.Reading;
import org.keywell.client.PoolStatus;
import org.keywell.loadgen.report.StageFigures;
import org.keywell.loadgen.schedule.Schedule;
import org.keywell.loadgen.service.ServiceProgram;

/**
 * Latency at a steady 50 requests a second while keys are generated and loaded. By default the
 * generator waits until nothing was signed for 200 ms, so it would never start. Here it starts a
 * key whenever no request is in progress, and the next requests arrive while it works on it.
 */
public record SteadyPart(Rig rig) implements Part {
  private static final Goal P50_GOAL = Goal.of(5, 3);
  private static final Goal P99_GOAL = Goal.of(15, 10);

  /** Twenty seconds of them. */
  private static final int ROUND_REQUESTS = 1_000;

  /** More than are kept and can be generated in a run, so there is always room. */
  private static final String ROOM = "100000";

  @Override
  public PartResult measure(int rounds) throws IOException, InterruptedException {
    Schedule schedule = SteadyLoad.schedule(rig.scaled(ROUND_REQUESTS));
    List<SteadyRound> all = new ArrayList<>();
    try (BenchService service = rig.startWarm("steady", settings());
        SteadyLoad load = new SteadyLoad(service.url())) {
      load.warmUp(rig.scaled(SteadyLoad.WARM_UP_KEYS));
      for (int round = 0; round < rounds; round++) {
        SteadyRound measured = round(service, load, schedule);
        all.add(measured);
        rig.tell(
            "round %d of %d: p50 %.2f ms, p99 %.2f ms, %d keys generated"
                .formatted(
                    round + 1,
                    rounds,
                    measured.latency().p50(),
                    measured.latency().p99(),
                    measured.generated()));
      }
    }
    return new PartResult(List.of(), readings(all));
  }

  /** Leaves the loaded tier at its defaults: a batch of 100 is loaded every two seconds. */
  private static Map<String, String> settings() {
    return new ServiceSettings()
        .with(ServiceProgram.poolSetting(Stock.RSA, "MAXSTORED"), ROOM)
        .with("KEYWELL_POOL_IDLEAFTER", "0ms")
        .environment();
  }

  private static SteadyRound round(BenchService service, SteadyLoad load, Schedule schedule)
      throws IOException, InterruptedException {
    try {
      long before = generated(service);
      var samples = load.run(schedule, Stock.RSA);
      long made = generated(service) - before;
      if (made == 0) {
        throw new IOException("no key was generated while requests came");
      }
      return SteadyRound.of(schedule, samples, made);
    } catch (IOException e) {
      throw service.explain(e, "steady");
    }
  }

  private static long generated(BenchService service) throws IOException, InterruptedException {
    return service.pool().pools().stream()
        .filter(each -> each.keySpec().equals(Stock.RSA))
        .mapToLong(PoolStatus.Pool::generated)
        .sum();
  }

  private static List<Reading> readings(List<SteadyRound> rounds) {
    List<Reading> readings = new ArrayList<>();
    add(readings, "p50", rounds, round -> round.latency().p50(), P50_GOAL);
    add(readings, "p99", rounds, round -> round.latency().p99(), P99_GOAL);
    readings.add(Reading.of("mean", of(rounds, r -> r.latency().mean()).median(), "ms"));
    readings.add(Reading.of("longest", of(rounds, r -> r.latency().max()).most(), "ms"));
    for (StageFigures stage : rounds.getFirst().stages()) {
      String name = stage.stage();
      readings.add(
          Reading.of("p50 of " + name, of(rounds, r -> r.stageMillis(name)).median(), "ms"));
    }
    readings.add(
        Reading.of("generated in a round", of(rounds, SteadyRound::generated).median(), "keys"));
    return readings;
  }

  /** Compares the median with the goal and also reports how far apart the rounds are. */
  private static void add(
      List<Reading> readings,
      String label,
      List<SteadyRound> rounds,
      ToDoubleFunction<SteadyRound> figure,
      Goal goal) {
    Ratio values = of(rounds, figure);
    readings.add(new Reading(label, values.median(), "ms", goal));
    readings.add(Reading.of(label + ", least", values.least(), "ms"));
    readings.add(Reading.of(label + ", most", values.most(), "ms"));
  }

  private static Ratio of(List<SteadyRound> rounds, ToDoubleFunction<SteadyRound> figure) {
    List<Double> values = rounds.stream().map(figure::applyAsDouble).toList();
    return new Ratio("rounds", values, Goal.NONE);
  }
}
