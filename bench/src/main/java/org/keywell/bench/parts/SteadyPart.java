package org.keywell.bench.parts;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import org.keywell.bench.rig.AbDriver;
import org.keywell.bench.rig.BenchService;
import org.keywell.bench.rig.PreparedPool;
import org.keywell.bench.rig.Stock;
import org.keywell.bench.suite.Goal;
import org.keywell.bench.suite.Part;
import org.keywell.bench.suite.PartId;
import org.keywell.bench.suite.PartResult;
import org.keywell.bench.suite.Ratio;
import org.keywell.bench.suite.Reading;
import org.keywell.client.PoolStatus;
import org.keywell.loadgen.report.StageFigures;
import org.keywell.loadgen.schedule.Schedule;
import org.keywell.loadgen.service.ServiceProgram;

/**
 * Latency at a steady 50 requests a second while keys are generated and loaded. By default the
 * generator waits until nothing was signed for 200 ms, and so would rest throughout; here it begins
 * a key whenever no request is at hand, and the next requests come while it is at work on it.
 */
public final class SteadyPart implements Part {
  private static final Goal P50_GOAL = Goal.of(5, 3);
  private static final Goal P99_GOAL = Goal.of(15, 10);

  /** After fewer the compilers still take a good part of the processor. */
  private static final int WARM_UP_REQUESTS = 40_000;

  private static final Schedule ROUND = SteadyLoad.schedule(20);

  /** More than are kept and can be made in a run: there is always room for another. */
  private static final String ROOM = "100000";

  private static final Map<String, String> SETTINGS =
      Map.of(
          "KEYWELL_POOL_IDLEAFTER",
          "0ms",
          ServiceProgram.poolSetting(Stock.RSA, "MAXSTORED"),
          ROOM,
          ServiceProgram.poolSetting(Stock.EC, "MAXSTORED"),
          "0",
          ServiceProgram.poolSetting(Stock.EC, "LOADEDCAPACITY"),
          "1000",
          ServiceProgram.poolSetting(Stock.EC, "LOWWATER"),
          "900");

  private final PreparedPool pool;
  private final AbDriver driver;

  public SteadyPart(PreparedPool pool, AbDriver driver) {
    this.pool = pool;
    this.driver = driver;
  }

  @Override
  public PartId id() {
    return PartId.E;
  }

  @Override
  public PartResult measure(int rounds) throws IOException, InterruptedException {
    pool.fill(Stock.USUAL);
    List<SteadyRound> all = new ArrayList<>();
    try (BenchService service = pool.start("steady", SETTINGS);
        SteadyLoad load = new SteadyLoad(service.url())) {
      service.warmUp(driver, WARM_UP_REQUESTS);
      load.warmUp();
      for (int round = 0; round < rounds; round++) {
        all.add(round(service, load));
      }
    }
    return new PartResult(id(), List.of(), readings(all));
  }

  private static SteadyRound round(BenchService service, SteadyLoad load)
      throws IOException, InterruptedException {
    try {
      long before = generated(service);
      var samples = load.run(ROUND, Stock.RSA);
      long made = generated(service) - before;
      if (made == 0) {
        throw new IOException("no key was generated while requests came");
      }
      return SteadyRound.of(ROUND, samples, made);
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

  /** The middle one is held against the goal; beside it, how far the rounds are apart. */
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
