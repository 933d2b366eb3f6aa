package org.keywell.bench.parts;

import java.io.IOException;
import java.util.List;
import org.keywell.bench.raw.CycleToken;
import org.keywell.bench.raw.Kind;
import org.keywell.bench.raw.RawCycle;
import org.keywell.bench.rig.AbRun;
import org.keywell.bench.rig.BenchService;
import org.keywell.bench.rig.Rig;
import org.keywell.bench.rig.ServiceSettings;
import org.keywell.bench.rig.Stock;
import org.keywell.bench.suite.Goal;
import org.keywell.bench.suite.Part;
import org.keywell.bench.suite.PartResult;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.loadgen.service.OwnService.Tier;

/**
 * A burst that finds all its keys loaded, compared with only signing and destroying. The pool loads
 * the next burst's keys once the last key is taken, so nothing is loaded meanwhile.
 */
public record BurstPart(Rig rig) implements Part {
  private static final Goal GOAL = Goal.of(0.35, 0.45);
  private static final int CALLERS = 32;

  /** Takes about a second. */
  private static final int MOST = 1_000;

  /** The C program signs two or three times as fast. */
  private static final int RAW_PER_REQUEST = 3;

  @Override
  public PartResult measure(int rounds) throws IOException, InterruptedException {
    // One burst warms up, and one is loaded after the last.
    int burst = Math.min(rig.scaled(MOST), rig.stock().rsa() / (rounds + 2));
    try (CycleToken token = CycleToken.open(rig.hsm(), rig.pool().environment())) {
      RawCycle raw = RawCycle.compiled(token, KeySpec.RSA_2048, rig.pool().scratch("cycle"));
      EndToEnd compared = new EndToEnd(raw, Kind.SIGN_DESTROY, RAW_PER_REQUEST * burst);
      try (BenchService service =
          rig.startWarm(
              "burst",
              new ServiceSettings().loadedAtOnce(Stock.RSA, burst).environment(),
              rig.warmUp().withRsa(burst))) {
        measure(service, compared, burst, rounds);
      }
      return new PartResult(
          List.of(compared.ratio("burst / sign and destroy in C, 2 threads", GOAL)),
          compared.readings("burst of %,d RSA requests".formatted(burst)));
    }
  }

  private void measure(BenchService service, EndToEnd compared, int burst, int rounds)
      throws IOException, InterruptedException {
    try {
      service.awaitKeys(burst, Stock.RSA, Tier.LOADED);
      for (int round = 0; round < rounds; round++) {
        AbRun run = compared.round(round, () -> send(service, burst));
        rig.tell(
            "round %d of %d: %.0f requests/s, the C program %.0f keys/s"
                .formatted(round + 1, rounds, run.perSecond(), compared.lastRawRate()));
      }
    } catch (IOException e) {
      throw service.explain(e, "the burst");
    }
  }

  /** Waits until the next burst is loaded, so that nothing else runs while the C program signs. */
  private AbRun send(BenchService service, int burst) throws IOException, InterruptedException {
    AbRun run = rig.driver().run(service.url(), Stock.RSA, burst, Math.min(CALLERS, burst));
    service.awaitKeys(burst, Stock.RSA, Tier.LOADED);
    return run;
  }
}
