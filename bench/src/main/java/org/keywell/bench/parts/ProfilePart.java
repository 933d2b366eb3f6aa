package org.keywell.bench.parts;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.keywell.bench.profile.Event;
import org.keywell.bench.profile.FrameTable;
import org.keywell.bench.profile.Profiler;
import org.keywell.bench.profile.RequestCosts;
import org.keywell.bench.profile.Shares;
import org.keywell.bench.rig.BenchService;
import org.keywell.bench.rig.CpuTime;
import org.keywell.bench.rig.Rig;
import org.keywell.bench.rig.ServiceSettings;
import org.keywell.bench.rig.Stock;
import org.keywell.bench.suite.Goal;
import org.keywell.bench.suite.Part;
import org.keywell.bench.suite.PartResult;
import org.keywell.bench.suite.Reading;

/**
 * Part i: a request's processor time and allocated bytes by purpose, under load and with a key
 * loaded for each one taken.
 */
public final class ProfilePart implements Part {
  private static final Goal OWN_MILLIS = Goal.of(0.9, 0.6);
  private static final int CALLERS = 32;

  /** More samples need more requests; for RSA, the number of keys is the limit. */
  private static final int RSA_REQUESTS = 4_000;

  private static final int EC_REQUESTS = 15_000;
  private static final int SPEC_WARM_UP = 500;
  private static final int LOADED = 500;
  private static final int BATCH = 100;

  /** One request in this many is for the allocation profile, which has enough samples. */
  private static final int ALLOCATING = 4;

  private final Rig rig;
  private final FrameTable frames = FrameTable.ofService();

  public ProfilePart(Rig rig) {
    this.rig = rig;
  }

  @Override
  public PartResult measure(int rounds) throws IOException, InterruptedException {
    Map<String, String> settings =
        new ServiceSettings()
            .keptLoaded(Stock.RSA, rig.scaled(LOADED), rig.scaled(BATCH))
            .keptLoaded(Stock.EC, rig.scaled(LOADED), rig.scaled(BATCH))
            .with("JDK_JAVA_OPTIONS", Profiler.JAVA_OPTIONS)
            .environment();
    try (BenchService service = rig.startWarm("profile", settings)) {
      try {
        Profiler profiler = Profiler.of(service.pid(), rig.pool().scratch("profiler"));
        List<Reading> readings = new ArrayList<>();
        readings.addAll(
            costs(service, profiler, Stock.RSA, rounds, RSA_REQUESTS).readings(OWN_MILLIS));
        readings.addAll(
            costs(service, profiler, Stock.EC, rounds, EC_REQUESTS).readings(Goal.NONE));
        return new PartResult(List.of(), readings);
      } catch (IOException e) {
        throw service.explain(e, "the profile");
      }
    }
  }

  private RequestCosts costs(
      BenchService service, Profiler profiler, String keySpec, int rounds, int requests)
      throws IOException, InterruptedException {
    RequestCosts costs = new RequestCosts(keySpec);
    drive(service, keySpec, rig.scaled(SPEC_WARM_UP));
    int each = Math.max(ALLOCATING, rig.scaled(requests) / rounds);
    int allocating = each / ALLOCATING;
    int timed = each - allocating;
    for (int round = 0; round < rounds; round++) {
      profiler.start(Event.PROCESSOR);
      CpuTime before = service.cpu();
      drive(service, keySpec, timed);
      CpuTime used = service.cpu().since(before);
      costs.addProcessorTime(timed, used, Shares.of(profiler.stop(Event.PROCESSOR), frames));

      profiler.start(Event.ALLOCATION);
      drive(service, keySpec, allocating);
      costs.addAllocation(allocating, Shares.of(profiler.stop(Event.ALLOCATION), frames));
    }
    if (costs.isEmpty()) {
      throw new IOException(
          "%d requests were too few for a sample of each kind".formatted(rounds * each));
    }
    return costs;
  }

  private void drive(BenchService service, String keySpec, int requests)
      throws IOException, InterruptedException {
    var _ = rig.driver().run(service.url(), keySpec, requests, Math.min(CALLERS, requests));
  }
}
