package org.keywell.bench.parts;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Iterator;
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

/**
 * The thesis's Table 2-10: the number of signing threads. Each number has a separate service; all
 * run from the first round to the last, and those not being measured are idle.
 */
public record ThreadsPart(Rig rig) implements Part {
  private static final List<Integer> THREADS = List.of(1, 2, 4, 10, 50);

  /** Enough to give each thread something to do. */
  private static final int CALLERS = 64;

  private static final int MOST = 700;
  private static final int WARM_UP = 20_000;
  private static final int LOADED = 500;
  private static final int BATCH = 100;

  @Override
  public PartResult measure(int rounds) throws IOException, InterruptedException {
    int requests = Math.min(rig.scaled(MOST), (rig.rsaAfterWarmUp() - rig.scaled(LOADED)) / rounds);
    List<Threads> all = new ArrayList<>();
    try {
      for (int count : THREADS) {
        all.add(start(count));
      }
      for (int round = 0; round < rounds; round++) {
        // Each round starts with a different one.
        for (int i = 0; i < all.size(); i++) {
          measure(all.get((round + i) % all.size()), requests);
        }
        rig.tell(
            "round %d of %d, by threads: %s"
                .formatted(
                    round + 1,
                    rounds,
                    String.join(", ", all.stream().map(Threads::told).toList())));
      }
    } finally {
      close(all.iterator());
    }
    return result(all);
  }

  private Threads start(int count) throws IOException, InterruptedException {
    int loaded = rig.scaled(LOADED);
    return new Threads(
        count,
        rig.startWarm(
            count + "-threads",
            new ServiceSettings()
                .keptLoaded(Stock.RSA, loaded, rig.scaled(BATCH))
                .handlerThreads(count)
                .environment(),
            rig.warmUp(WARM_UP)),
        new ArrayList<>());
  }

  private PartResult result(List<Threads> all) {
    List<AbRun> one = all.getFirst().runs();
    List<Ratio> ratios = new ArrayList<>();
    List<Reading> readings = new ArrayList<>();
    for (Threads threads : all) {
      if (threads.count() > 1) {
        ratios.add(threads.against(one));
      }
      readings.add(
          Reading.of(
              "throughput: " + threads.label(),
              Medians.of(threads.runs(), AbRun::perSecond),
              "requests/s"));
      readings.add(
          Reading.of(
              "latency, p50: " + threads.label(),
              Medians.of(threads.runs(), AbRun::p50Millis),
              "ms"));
      readings.add(
          Reading.of(
              "latency, p99: " + threads.label(),
              Medians.of(threads.runs(), AbRun::p99Millis),
              "ms"));
    }
    return new PartResult(ratios, readings);
  }

  private void measure(Threads threads, int requests) throws IOException, InterruptedException {
    BenchService service = threads.service();
    try {
      service.awaitKeys(rig.scaled(LOADED), Stock.RSA, Tier.LOADED);
      threads
          .runs()
          .add(rig.driver().run(service.url(), Stock.RSA, requests, Math.min(CALLERS, requests)));
    } catch (IOException e) {
      throw service.explain(e, "the load");
    }
  }

  /** Closes all of them, even if closing one fails. */
  private static void close(Iterator<Threads> left) throws IOException {
    if (left.hasNext()) {
      try (BenchService _ = left.next().service()) {
        close(left);
      }
    }
  }

  /** A service with this many threads. */
  private record Threads(int count, BenchService service, List<AbRun> runs) {

    String label() {
      return count == 1 ? "1 thread" : count + " threads";
    }

    String told() {
      return "%d: %.0f/s".formatted(count, runs.getLast().perSecond());
    }

    Ratio against(List<AbRun> one) {
      return Ratio.of(
          "throughput, " + label() + " / 1 thread", runs, one, AbRun::perSecond, Goal.NONE);
    }
  }
}
