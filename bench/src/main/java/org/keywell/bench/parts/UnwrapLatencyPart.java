package org.keywell.bench.parts;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
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
import org.keywell.loadgen.drive.Sample;
import org.keywell.loadgen.schedule.Schedule;
import org.keywell.loadgen.service.OwnService.Tier;
import org.keywell.loadgen.service.ServiceProgram;

/**
 * Latency at a steady 50 requests a second while a batch is unwrapped, against while none is
 * (thesis, Table 2-11). Requests are signed with RSA keys that are all loaded. The batch is one of
 * EC keys, of which there are enough for one that lasts for seconds: a burst takes those that are
 * loaded, whereupon the loader begins with the next ones, and the requests come from then on.
 */
public final class UnwrapLatencyPart implements Part {
  private static final Goal GOAL = Goal.of(1.10, 1.05);
  private static final Schedule ROUND = SteadyLoad.schedule(12);
  private static final int WARM_UP_REQUESTS = 25_000;
  private static final int BURST_CALLERS = 16;

  /** Three seconds or so of unwrapping on one core. */
  private static final int MOST_IN_BATCH = 6_000;

  /** A mean of fewer requests says little. */
  private static final int LEAST_SAMPLES = 30;

  /** Long enough for a key to be unwrapped, on a busy machine too. */
  private static final Duration REST = Duration.ofMillis(500);

  private final PreparedPool pool;
  private final AbDriver driver;

  public UnwrapLatencyPart(PreparedPool pool, AbDriver driver) {
    this.pool = pool;
    this.driver = driver;
  }

  @Override
  public PartId id() {
    return PartId.F;
  }

  @Override
  public PartResult measure(int rounds) throws IOException, InterruptedException {
    pool.fill(Stock.USUAL);
    // What is loaded first and what every round loads comes after the warm-up's keys.
    int left = Stock.USUAL.ec() - WARM_UP_REQUESTS - SteadyLoad.WARM_UP_KEYS;
    int batch = Math.min(MOST_IN_BATCH, left / (rounds + 1));
    Means means = new Means();
    try (BenchService service = pool.start("unwrapping", settings(rounds, batch));
        SteadyLoad load = new SteadyLoad(service.url())) {
      service.warmUp(driver, WARM_UP_REQUESTS);
      load.warmUp();
      for (int round = 0; round < rounds; round++) {
        round(service, load, batch, means);
      }
    }
    return means.result(id());
  }

  /** As many RSA keys are loaded as all rounds need, so that none is unwrapped in between. */
  private static Map<String, String> settings(int rounds, int batch) {
    String rsa = Integer.toString(Math.min(Stock.USUAL.rsa(), (rounds + 1) * ROUND.requests()));
    String ec = Integer.toString(batch);
    return Map.of(
        ServiceProgram.poolSetting(Stock.RSA, "MAXSTORED"),
        "0",
        ServiceProgram.poolSetting(Stock.RSA, "LOADEDCAPACITY"),
        rsa,
        ServiceProgram.poolSetting(Stock.RSA, "LOWWATER"),
        "1",
        ServiceProgram.poolSetting(Stock.RSA, "BATCHSIZE"),
        rsa,
        ServiceProgram.poolSetting(Stock.EC, "MAXSTORED"),
        "0",
        ServiceProgram.poolSetting(Stock.EC, "LOADEDCAPACITY"),
        ec,
        ServiceProgram.poolSetting(Stock.EC, "LOWWATER"),
        "1",
        ServiceProgram.poolSetting(Stock.EC, "BATCHSIZE"),
        ec);
  }

  private void round(BenchService service, SteadyLoad load, int batch, Means means)
      throws IOException, InterruptedException {
    try {
      service.awaitKeys(ROUND.requests(), Stock.RSA, Tier.LOADED);
      int loaded = loadedAtRest(service);
      var _ = driver.run(service.url(), Stock.EC, loaded, Math.min(BURST_CALLERS, loaded));
      SteadyLoad.Watched run = load.watched(ROUND, Stock.RSA, Stock.EC);
      means.add(run.samples(), LoadSpan.of(run.points(), batch));
    } catch (IOException e) {
      throw service.explain(e, "unwrapping");
    }
  }

  /** How many keys are loaded once no more are being loaded: to take all of them has one begin. */
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

  /** Of each round, the mean while keys were unwrapped and the mean while none was. */
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

    PartResult result(PartId id) {
      return new PartResult(
          id,
          List.of(new Ratio("mean latency while unwrapping / while not", ratios, GOAL)),
          List.of(
              Reading.of("mean while unwrapping", median(unwrapping), "ms"),
              Reading.of("mean while not", median(resting), "ms"),
              Reading.of("unwrapping of a batch", median(seconds), "s")));
    }

    private static double median(List<Double> rounds) {
      return new Ratio("rounds", rounds, Goal.NONE).median();
    }
  }
}
