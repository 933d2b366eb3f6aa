package org.keywell.bench.parts;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.keywell.bench.rig.AbRun;
import org.keywell.bench.rig.BenchService;
import org.keywell.bench.rig.Rig;
import org.keywell.bench.rig.ServiceSettings;
import org.keywell.bench.rig.Stock;
import org.keywell.bench.suite.Goal;
import org.keywell.bench.suite.Part;
import org.keywell.bench.suite.PartResult;
import org.keywell.bench.suite.Ratio;
import org.keywell.bench.suite.Reading;
import org.keywell.loadgen.service.OwnService.Tier;

/** The key pool compared with the traditional system, which generates a key for each request. */
public record ModesPart(Rig rig) implements Part {
  private static final int LOADED = 500;
  private static final int BATCH = 100;

  /** Key generation dominates, whether or not the code is compiled. */
  private static final int ON_THE_FLY_WARM_UP = 200;

  @Override
  public PartResult measure(int rounds) throws IOException, InterruptedException {
    int loaded = rig.scaled(LOADED);
    List<Callers> all =
        List.of(
            new Callers(1, Math.min(200, share(rounds, 0.25)), 8, Goal.of(40, 60)),
            new Callers(32, Math.min(600, share(rounds, 0.75)), 64, Goal.of(60, 100)));
    try (BenchService pooled =
            rig.startWarm(
                "pooled",
                new ServiceSettings()
                    .keptLoaded(Stock.RSA, loaded, rig.scaled(BATCH))
                    .environment());
        BenchService onTheFly =
            rig.startWarm(
                "on-the-fly",
                new ServiceSettings().with("KEYWELL_POOL_MODE", "on-the-fly").environment(),
                rig.warmUp(ON_THE_FLY_WARM_UP).withRsa(0))) {
      for (int round = 0; round < rounds; round++) {
        for (Callers callers : all) {
          pooled.awaitKeys(loaded, Stock.RSA, Tier.LOADED);
          callers.round(round, pooled, onTheFly);
          rig.tell("round %d of %d, %s".formatted(round + 1, rounds, callers.told()));
        }
      }
    }
    return new PartResult(
        all.stream().map(Callers::ratio).toList(),
        all.stream().flatMap(callers -> callers.readings().stream()).toList());
  }

  /** Returns a part of a round's share of the keys; the loaded ones remain at the end. */
  private int share(int rounds, double part) {
    return (int) Math.max(1, part * (rig.rsaAfterWarmUp() - rig.scaled(LOADED)) / rounds);
  }

  /** A number of callers, at both services. */
  private final class Callers {
    private final int count;
    private final int requests;
    private final int onTheFlyRequests;
    private final Goal goal;
    private final List<AbRun> pooledRuns = new ArrayList<>();
    private final List<AbRun> onTheFlyRuns = new ArrayList<>();

    Callers(int count, int requests, int onTheFlyRequests, Goal goal) {
      this.count = count;
      this.requests = requests;
      this.onTheFlyRequests = onTheFlyRequests;
      this.goal = goal;
    }

    void round(int round, BenchService pooled, BenchService onTheFly)
        throws IOException, InterruptedException {
      if (round % 2 == 0) {
        pooledRuns.add(run(pooled, requests));
      }
      onTheFlyRuns.add(run(onTheFly, rig.scaled(onTheFlyRequests)));
      if (round % 2 != 0) {
        pooledRuns.add(run(pooled, requests));
      }
    }

    private AbRun run(BenchService service, int requests) throws IOException, InterruptedException {
      try {
        return rig.driver().run(service.url(), Stock.RSA, requests, Math.min(count, requests));
      } catch (IOException e) {
        throw service.explain(e, "the load");
      }
    }

    String told() {
      return "%s: pooled %.0f, on the fly %.1f requests/s"
          .formatted(label(), pooledRuns.getLast().perSecond(), onTheFlyRuns.getLast().perSecond());
    }

    private String label() {
      return count == 1 ? "one caller" : count + " callers";
    }

    Ratio ratio() {
      return Ratio.of(
          "pooled / on the fly, " + label(), pooledRuns, onTheFlyRuns, AbRun::perSecond, goal);
    }

    List<Reading> readings() {
      return List.of(
          Reading.of("pooled, " + label(), Medians.of(pooledRuns, AbRun::perSecond), "requests/s"),
          Reading.of(
              "pooled, " + label() + ", mean", Medians.of(pooledRuns, AbRun::meanMillis), "ms"),
          Reading.of(
              "on the fly, " + label(), Medians.of(onTheFlyRuns, AbRun::perSecond), "requests/s"),
          Reading.of(
              "on the fly, " + label() + ", mean",
              Medians.of(onTheFlyRuns, AbRun::meanMillis),
              "ms"));
    }
  }
}
