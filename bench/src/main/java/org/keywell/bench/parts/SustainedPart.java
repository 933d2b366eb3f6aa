package org.keywell.bench.parts;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.keywell.bench.raw.CycleToken;
import org.keywell.bench.raw.Kind;
import org.keywell.bench.raw.RawCycle;
import org.keywell.bench.rig.AbRun;
import org.keywell.bench.rig.BenchService;
import org.keywell.bench.rig.CpuTime;
import org.keywell.bench.rig.Repeated;
import org.keywell.bench.rig.Rig;
import org.keywell.bench.rig.ServiceSettings;
import org.keywell.bench.rig.Stock;
import org.keywell.bench.suite.Goal;
import org.keywell.bench.suite.Part;
import org.keywell.bench.suite.PartResult;
import org.keywell.bench.suite.Ratio;
import org.keywell.bench.suite.Reading;
import org.keywell.client.KeywellClient;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.loadgen.service.OwnService.Tier;

/**
 * Sustained load, compared with only unwrapping, signing and destroying. The pool loads a key for
 * each one taken, from the first on: a round's keys are loaded during the round.
 */
public record SustainedPart(Rig rig) implements Part {
  private static final Goal GOAL = Goal.of(0.55, 0.70);
  private static final Goal NEVER_EMPTY = Goal.of(1, 1);
  private static final Duration LOOK_EVERY = Duration.ofMillis(100);
  private static final int CALLERS = 32;
  private static final int LOADED = 500;
  private static final int BATCH = 100;

  /** About a second of requests with RSA keys, two and a half with EC keys. */
  private static final int MOST_RSA = 1_000;

  private static final int MOST_EC = 2_500;

  /** The C program is twice as fast. */
  private static final int RAW_PER_REQUEST = 2;

  @Override
  public PartResult measure(int rounds) throws IOException, InterruptedException {
    int loaded = rig.scaled(LOADED);
    int batch = rig.scaled(BATCH);
    try (CycleToken token = CycleToken.open(rig.hsm(), rig.pool().environment())) {
      RawCycle raw = RawCycle.compiled(token, KeySpec.RSA_2048, rig.pool().scratch("cycle"));
      // The loaded ones remain at the end.
      Kept rsa =
          new Kept(
              Stock.RSA,
              raw,
              Math.min(rig.scaled(MOST_RSA), (rig.rsaAfterWarmUp() - loaded) / rounds),
              loaded);
      Kept ec = new Kept(Stock.EC, raw.with(KeySpec.EC_P256), rig.scaled(MOST_EC), loaded);
      try (BenchService service =
          rig.startWarm(
              "sustained",
              new ServiceSettings()
                  .keptLoaded(Stock.RSA, loaded, batch)
                  .keptLoaded(Stock.EC, loaded, batch)
                  .environment())) {
        measure(service, rsa, ec, rounds);
      }
      List<Reading> readings = new ArrayList<>(rsa.readings());
      readings.addAll(ec.readings());
      return new PartResult(List.of(rsa.ratio(GOAL), ec.ratio(Goal.NONE)), readings);
    }
  }

  private void measure(BenchService service, Kept rsa, Kept ec, int rounds)
      throws IOException, InterruptedException {
    try {
      for (int round = 0; round < rounds; round++) {
        String told = rsa.round(service, round) + "; " + ec.round(service, round);
        rig.tell("round %d of %d: %s".formatted(round + 1, rounds, told));
      }
    } catch (IOException e) {
      throw service.explain(e, "the load");
    }
  }

  /** Keys of one kind under load. */
  private final class Kept {
    private final String keySpec;
    private final int requests;
    private final int loaded;
    private final EndToEnd compared;
    private final List<CpuTime> cpu = new ArrayList<>();
    private int least = Integer.MAX_VALUE;

    Kept(String keySpec, RawCycle raw, int requests, int loaded) {
      this.keySpec = keySpec;
      this.requests = requests;
      this.loaded = loaded;
      this.compared = new EndToEnd(raw, Kind.UNWRAP_SIGN_DESTROY, RAW_PER_REQUEST * requests);
    }

    String round(BenchService service, int round) throws IOException, InterruptedException {
      AbRun run = compared.round(round, () -> watched(service));
      return "%s %.0f requests/s, the C program %.0f keys/s"
          .formatted(keySpec, run.perSecond(), compared.lastRawRate());
    }

    private AbRun watched(BenchService service) throws IOException, InterruptedException {
      service.awaitKeys(loaded, keySpec, Tier.LOADED);
      CpuTime before = service.cpu();
      try (KeywellClient client = new KeywellClient(service.url());
          Repeated<Integer> loadedKeys =
              Repeated.start(LOOK_EVERY, () -> client.pool().loaded(keySpec))) {
        AbRun run = driven(service);
        cpu.add(service.cpu().since(before));
        least = Math.min(least, Collections.min(loadedKeys.end()));
        service.awaitKeys(loaded, keySpec, Tier.LOADED);
        return run;
      }
    }

    private AbRun driven(BenchService service) throws IOException, InterruptedException {
      return rig.driver().run(service.url(), keySpec, requests, Math.min(CALLERS, requests));
    }

    Ratio ratio(Goal goal) {
      return compared.ratio(
          "sustained / unwrap, sign and destroy in C, 2 threads, " + keySpec, goal);
    }

    List<Reading> readings() {
      List<Reading> all = new ArrayList<>(compared.readings("sustained, " + keySpec));
      all.add(
          Reading.of(
              "processor time of Java, " + keySpec,
              Medians.of(cpu, time -> (double) time.javaMicros() / requests),
              "µs/request"));
      all.add(
          Reading.of(
              "processor time of PostgreSQL, " + keySpec,
              Medians.of(cpu, time -> (double) time.postgresMicros() / requests),
              "µs/request"));
      all.add(new Reading("loaded at the least, " + keySpec, least, "keys", NEVER_EMPTY));
      return all;
    }
  }
}
