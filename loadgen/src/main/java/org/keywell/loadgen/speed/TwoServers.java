package org.keywell.loadgen.speed;

import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.keywell.loadgen.service.CpuQuota;
import org.keywell.loadgen.service.FreePorts;
import org.keywell.loadgen.service.OwnService;
import org.keywell.loadgen.service.ServiceProgram;
import org.keywell.loadgen.service.SharedDatabase;

/**
 * Two services of ours, each with a share of the machine's processors, on one token and one
 * database. The database is outside of both shares, as the clients are.
 */
public final class TwoServers {
  private static final Duration STARTS_WITHIN = Duration.ofMinutes(5);
  private static final Duration ENDS_WITHIN = Duration.ofSeconds(40);
  private static final int KMIP_PORT = 5696;
  private static final String INSTANCE = "KEYWELL_INSTANCE";
  private static final Map<String, String> OWNER =
      Map.of(
          "SERVER_ADDRESS", "127.0.0.1",
          "MANAGEMENT_SERVER_ADDRESS", "127.0.0.1",
          "KEYWELL_POOL_MODE", "on-the-fly");

  private final ServiceProgram program;
  private final SpeedSite site;
  private final PrintWriter err;

  private TwoServers(ServiceProgram program, SpeedSite site, PrintWriter err) {
    this.program = program;
    this.site = site;
    this.err = err;
  }

  /**
   * Measures one and both of them, in turn.
   *
   * @throws IOException if any operation fails, or a service does not start
   */
  public static void measure(
      SpeedRun run, SpeedPlan plan, ServiceProgram program, SpeedSite site, PrintWriter err)
      throws IOException, InterruptedException {
    CpuQuota quota;
    try {
      quota = quota(1, plan);
    } catch (IOException e) {
      run.leaveOut(
          SpeedSystem.ONE_SERVER,
          "Not measured: a quota of processor time takes Linux and root (%s).".formatted(e));
      return;
    }
    try (CpuQuota first = quota;
        CpuQuota second = quota(2, plan);
        SharedDatabase database =
            SharedDatabase.start(
                program, "speed-database", OWNER, STARTS_WITHIN, ENDS_WITHIN, err)) {
      new TwoServers(database.user(), site, err).measure(run, first, second);
    }
  }

  private static CpuQuota quota(int number, SpeedPlan plan) throws IOException {
    return CpuQuota.create(
        "keywell-speed-%d-%d".formatted(ProcessHandle.current().pid(), number), plan.quota());
  }

  private void measure(SpeedRun run, CpuQuota first, CpuQuota second)
      throws IOException, InterruptedException {
    int port = FreePorts.from(KMIP_PORT);
    try (OwnService one = start(1, port, first)) {
      one.awaitReady(STARTS_WITHIN);
      int other = FreePorts.from(port + 1);
      try (OwnService two = start(2, other, second)) {
        two.awaitReady(STARTS_WITHIN);
        run.measureServers(List.of(port, other));
      } catch (IOException e) {
        throw one.explain(e, "the measurement");
      }
    }
  }

  private OwnService start(int number, int port, CpuQuota quota) throws IOException {
    Map<String, String> settings = new TreeMap<>(site.serviceSettings(port, 0));
    settings.put(INSTANCE, "speed-" + number);
    return quota.limit(program).start("speed-" + number, settings, ENDS_WITHIN, err);
  }
}
