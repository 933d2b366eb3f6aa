package org.keywell.bench.parts;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
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
import org.keywell.loadgen.drive.Sample;
import org.keywell.loadgen.schedule.Schedule;
import org.keywell.loadgen.service.OwnService.Tier;

/**
 * Latency at a steady 50 requests a second while a batch is unwrapped, compared with while none is
 * (thesis, Table 2-11). Requests are signed with RSA keys, all loaded in advance. The batch
 * consists of EC keys, of which there are enough to unwrap for seconds: a burst takes the loaded
 * ones, the loader starts on the next, and the requests follow from then on.
 */
public record UnwrapLatencyPart(Rig rig) implements Part {
  private static final Goal GOAL = Goal.of(1.10, 1.05);

  /** Twelve seconds of them; a batch is loaded in about three. */
  private static final int ROUND_REQUESTS = 600;

  private static final int WARM_UP_REQUESTS = 25_000;
  private static final int BURST_CALLERS = 16;

  /** About three seconds of unwrapping on one core. */
  private static final int MOST_IN_BATCH = 6_000;

  /** A mean of fewer requests says little. */
  private static final int LEAST_SAMPLES = 30;

  /** Long enough for a key to be unwrapped, even on a busy machine. */
  private static final Duration REST = Duration.ofMillis(500);

  @Override
  public PartResult measure(int rounds) throws IOException, InterruptedException {
    int warmUp = rig.scaled(WARM_UP_REQUESTS);
    int driverWarmUp = rig.scaled(SteadyLoad.WARM_UP_KEYS);
    // The batch that is loaded first, and one for each round.
    int left = rig.stock().ec() - warmUp - driverWarmUp;
    int batch = Math.min(rig.scaled(MOST_IN_BATCH), left / (rounds + 1));
    // No RSA key is to be unwrapped in between.
    Schedule schedule = SteadyLoad.schedule(rig.scaled(ROUND_REQUESTS));
    int rsa =
        Math.min(rig.rsaAfterWarmUp(), (rounds + 1) * schedule.requests()) + rig.warmUp().rsa();
    Means means = new Means();
    Map<String, String> settings =
        new ServiceSettings()
            .loadedAtOnce(Stock.RSA, rsa)
            .loadedAtOnce(Stock.EC, batch)
            .environment();
    try (BenchService service =
            rig.startWarm("unwrapping", settings, rig.warmUp(WARM_UP_REQUESTS));
        SteadyLoad load = new SteadyLoad(service.url())) {
      load.warmUp(driverWarmUp);
      for (int round = 0; round < rounds; round++) {
        round(service, load, schedule, batch, means);
        rig.tell(
            "round %d of %d: %.3f times the mean while a batch was unwrapped"
                .formatted(round + 1, rounds, means.lastRatio()));
      }
    }
    return means.result();
  }

  private void round(
      BenchService service, SteadyLoad load, Schedule schedule, int batch, Means means)
      throws IOException, InterruptedException {
    try {
      service.awaitKeys(schedule.requests(), Stock.RSA, Tier.LOADED);
      int loaded = loadedAtRest(service);
      var _ = rig.driver().run(service.url(), Stock.EC, loaded, Math.min(BURST_CALLERS, loaded));
      SteadyLoad.Watched run = load.watched(schedule, Stock.RSA, Stock.EC);
      means.add(run.samples(), LoadSpan.of(run.points(), batch));
    } catch (IOException e) {
      throw service.explain(e, "unwrapping");
    }
  }

  /** Returns how many keys are loaded once loading is over; taking all of them restarts it. */
  private static int loadedAtRest(BenchService service) throws IOException, InterruptedException {
    service.awaitKeys(1, Stock.EC, Tier.LOADED);
    int loaded = loaded(service);
    int before = -1;
    while (loaded != before) {
      TimeUnit.NANOSECONDS.sleep(REST.toNanos());
      before = loaded;
      loaded = loaded(service);
    }
    return loaded;
  }

  private static int loaded(BenchService service) throws IOException, InterruptedException {
    return service.pool().pools().stream()
        .filter(each -> each.keySpec().equals(Stock.EC))
        .mapToInt(PoolStatus.Pool::loaded)
        .sum();
  }

  /** For each round, the mean while keys were unwrapped and the mean while none were. */
  private static final class Means {
    private final List<Double> unwrapping = new ArrayList<>();
    private final List<Double> resting = new ArrayList<>();
    private final List<Double> ratios = new ArrayList<>();
    private final List<Double> seconds = new ArrayList<>();

    void add(List<Sample> samples, LoadSpan span) throws IOException {
      double with = mean(samples.stream().filter(span::isWhileLoading).toList(), "while");
      double without = mean(samples.stream().filter(span::isAfterLoading).toList(), "after");
      unwrapping.add(with);
      resting.add(without);
      ratios.add(with / without);
      seconds.add(span.loadingUntilNanos() / 1e9);
    }

    private static double mean(List<Sample> samples, String when) throws IOException {
      if (samples.size() < LEAST_SAMPLES) {
        throw new IOException(
            "%d requests were signed %s a batch was unwrapped, at least %d are needed"
                .formatted(samples.size(), when, LEAST_SAMPLES));
      }
      return LoadSpan.meanMillis(samples).orElseThrow();
    }

    double lastRatio() {
      return ratios.getLast();
    }

    PartResult result() {
      return new PartResult(
          List.of(new Ratio("mean latency while unwrapping / while not", ratios, GOAL)),
          List.of(
              Reading.of("mean while unwrapping", Medians.of(unwrapping, mean -> mean), "ms"),
              Reading.of("mean while not", Medians.of(resting, mean -> mean), "ms"),
              Reading.of("unwrapping of a batch", Medians.of(seconds, each -> each), "s")));
    }
  }
}
