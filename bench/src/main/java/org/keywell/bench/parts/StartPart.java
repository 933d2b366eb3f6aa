package org.keywell.bench.parts;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.keywell.bench.rig.AbDriver;
import org.keywell.bench.rig.BenchService;
import org.keywell.bench.rig.PreparedPool;
import org.keywell.bench.rig.Stock;
import org.keywell.bench.suite.Goal;
import org.keywell.bench.suite.Part;
import org.keywell.bench.suite.PartResult;
import org.keywell.bench.suite.Reading;
import org.keywell.loadgen.service.OwnService;
import org.keywell.loadgen.service.ServiceProgram;

/**
 * Part j: how soon a service with stored keys signs, the latency of its first requests, one after
 * the other, and its memory with many keys loaded.
 */
public record StartPart(PreparedPool pool, AbDriver driver) implements Part {
  private static final Goal FIRST_SECONDS = Goal.of(4, 2);
  private static final Goal FIRST_P99_MILLIS = Goal.of(100, 40);
  private static final Goal MEBIBYTES = Goal.of(400, 250);

  private static final int FIRST = 100;
  private static final Duration STARTS_WITHIN = Duration.ofMinutes(2);

  private static final int LOADED = 10_000;

  /** SoftHSM's memory per loaded key. */
  private static final int SOFTHSM_KIBIBYTES = 11;

  private static final int REQUESTS = 1_000;
  private static final int CALLERS = 8;
  private static final double BYTES_PER_MEBIBYTE = 1 << 20;
  private static final int KIBIBYTES_PER_MEBIBYTE = 1 << 10;
  private static final double MILLIS_PER_SECOND = 1e3;

  @Override
  public PartResult measure(int rounds) throws IOException, InterruptedException {
    List<Start> starts = new ArrayList<>();
    for (int round = 0; round < rounds; round++) {
      starts.add(start());
    }
    List<Reading> readings = new ArrayList<>();
    readings.add(
        new Reading(
            "from the start of the process to the first signature",
            Medians.of(starts, start -> start.requests().untilFirstMillis() / MILLIS_PER_SECOND),
            "s",
            FIRST_SECONDS));
    readings.add(
        Reading.of(
            "its processor time until then and for the first 100 requests",
            Medians.of(starts, Start::javaSeconds),
            "s"));
    readings.add(
        Reading.of(
            "the first request",
            Medians.of(starts, start -> start.requests().millis().getFirst()),
            "ms"));
    readings.add(
        Reading.of(
            "first 100 requests, p50",
            Medians.of(starts, start -> start.requests().percentile(50)),
            "ms"));
    readings.add(
        new Reading(
            "first 100 requests, p99",
            Medians.of(starts, start -> start.requests().percentile(99)),
            "ms",
            FIRST_P99_MILLIS));
    readings.add(
        Reading.of(
            "memory after the first 100 requests", Medians.of(starts, Start::mebibytes), "MiB"));
    readings.addAll(memory());
    return new PartResult(List.of(), readings);
  }

  private record Start(FirstRequests requests, double javaSeconds, double mebibytes) {}

  private Start start() throws IOException, InterruptedException {
    try (BenchService service = pool.launch("start", Map.of(maxStored(Stock.RSA), "0"))) {
      try {
        FirstRequests requests =
            FirstRequests.of(service.url(), service.launchedNanos(), FIRST, STARTS_WITHIN);
        return new Start(
            requests,
            service.cpu().javaMicros() / MILLIS_PER_SECOND / MILLIS_PER_SECOND,
            service.residentBytes() / BYTES_PER_MEBIBYTE);
      } catch (IOException e) {
        throw service.explain(e, "the start");
      }
    }
  }

  /** Uses EC keys, of which there are enough; a few requests put the heap to use. */
  private List<Reading> memory() throws IOException, InterruptedException {
    Map<String, String> settings =
        Map.of(
            maxStored(Stock.EC), "0",
            ServiceProgram.poolSetting(Stock.EC, "LOADEDCAPACITY"), Integer.toString(LOADED),
            ServiceProgram.poolSetting(Stock.EC, "LOWWATER"), Integer.toString(LOADED));
    try (BenchService service = pool.start("memory", settings)) {
      try {
        var _ = driver.run(service.url(), Stock.EC, REQUESTS, CALLERS);
        service.awaitKeys(LOADED, Stock.EC, OwnService.Tier.LOADED);
        double all = service.residentBytes() / BYTES_PER_MEBIBYTE;
        double softHsm = (double) LOADED * SOFTHSM_KIBIBYTES / KIBIBYTES_PER_MEBIBYTE;
        return List.of(
            Reading.of("memory with %,d keys loaded".formatted(LOADED), all, "MiB"),
            new Reading(
                "the same, less SoftHSM's %d KiB a key".formatted(SOFTHSM_KIBIBYTES),
                all - softHsm,
                "MiB",
                MEBIBYTES));
      } catch (IOException e) {
        throw service.explain(e, "loading");
      }
    }
  }

  private static String maxStored(String keySpec) {
    return ServiceProgram.poolSetting(keySpec, "MAXSTORED");
  }
}
