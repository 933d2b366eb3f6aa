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
import org.keywell.bench.rig.AbDriver;
import org.keywell.bench.rig.BenchService;
import org.keywell.bench.rig.CpuTime;
import org.keywell.bench.rig.PreparedPool;
import org.keywell.bench.rig.Stock;
import org.keywell.bench.suite.Goal;
import org.keywell.bench.suite.Part;
import org.keywell.bench.suite.PartId;
import org.keywell.bench.suite.PartResult;
import org.keywell.bench.suite.Reading;
import org.keywell.loadgen.service.ServiceProgram;

/**
 * Part i: processor time and allocated bytes of a request by what they are used for, under load and
 * with the loader at work, on the settings that the service has by default.
 */
public final class ProfilePart implements Part {
  private static final Goal OWN_MILLIS = Goal.of(0.9, 0.6);
  private static final int CALLERS = 32;

  /** Until the compiler has nothing to do. */
  private static final int WARM_UP = 40_000;

  /** More samples need more requests: of RSA as many as there are keys. */
  private static final int RSA_REQUESTS = 5_400;

  private static final int EC_REQUESTS = 15_000;
  private static final int SPEC_WARM_UP = 500;

  /** One in so many requests is for the profile of allocation, which has samples enough. */
  private static final int ALLOCATING = 4;

  private final PreparedPool pool;
  private final AbDriver driver;
  private final FrameTable frames = FrameTable.ofService();

  public ProfilePart(PreparedPool pool, AbDriver driver) {
    this.pool = pool;
    this.driver = driver;
  }

  @Override
  public PartId id() {
    return PartId.I;
  }

  @Override
  public PartResult measure(int rounds) throws IOException, InterruptedException {
    Map<String, String> settings =
        Map.of(
            ServiceProgram.poolSetting(Stock.RSA, "MAXSTORED"),
            "0",
            ServiceProgram.poolSetting(Stock.EC, "MAXSTORED"),
            "0",
            "JDK_JAVA_OPTIONS",
            Profiler.JAVA_OPTIONS);
    try (BenchService service = pool.start("profile", settings)) {
      try {
        service.warmUp(driver, WARM_UP);
        Profiler profiler = Profiler.of(service.pid(), pool.scratch("profiler"));
        List<Reading> readings = new ArrayList<>();
        readings.addAll(
            costs(service, profiler, Stock.RSA, rounds, RSA_REQUESTS).readings(OWN_MILLIS));
        readings.addAll(
            costs(service, profiler, Stock.EC, rounds, EC_REQUESTS).readings(Goal.NONE));
        return new PartResult(id(), List.of(), readings);
      } catch (IOException e) {
        throw service.explain(e, "the profile");
      }
    }
  }

  private RequestCosts costs(
      BenchService service, Profiler profiler, String keySpec, int rounds, int requests)
      throws IOException, InterruptedException {
    RequestCosts costs = new RequestCosts(keySpec);
    var _ = driver.run(service.url(), keySpec, SPEC_WARM_UP, CALLERS);
    int each = requests / rounds;
    int allocating = Math.max(CALLERS, each / ALLOCATING);
    int timed = Math.max(CALLERS, each - allocating);
    for (int round = 0; round < rounds; round++) {
      profiler.start(Event.PROCESSOR);
      CpuTime before = service.cpu();
      var _ = driver.run(service.url(), keySpec, timed, CALLERS);
      CpuTime used = service.cpu().since(before);
      costs.addProcessorTime(timed, used, Shares.of(profiler.stop(Event.PROCESSOR), frames));

      profiler.start(Event.ALLOCATION);
      var _ = driver.run(service.url(), keySpec, allocating, CALLERS);
      costs.addAllocation(allocating, Shares.of(profiler.stop(Event.ALLOCATION), frames));
    }
    return costs;
  }
}
