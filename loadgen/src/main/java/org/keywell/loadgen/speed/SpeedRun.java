package org.keywell.loadgen.speed;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import org.keywell.loadgen.service.ForeignServer;
import org.keywell.loadgen.service.OwnService;

/** Measures services, operation by operation. One thread uses it, except for {@link #progress}. */
public final class SpeedRun {
  private static final Duration LOOK_EVERY = Duration.ofMillis(250);
  private static final Duration PAIR_WITHIN = Duration.ofMinutes(2);

  private final SpeedPlan plan;
  private final SSLContext client;
  private final @Nullable ForeignServer pyKmip;
  private final int measurements;
  private final List<SpeedRow> rows = new ArrayList<>();
  private final Map<SpeedSystem, String> without = new EnumMap<>(SpeedSystem.class);
  private int done;
  private volatile String progress = "the service is starting";

  /**
   * Creates a run.
   *
   * @param pyKmip to be measured in turn with Keywell; null: it is left out
   */
  public SpeedRun(SpeedPlan plan, SSLContext client, @Nullable ForeignServer pyKmip) {
    this.plan = plan;
    this.client = client;
    this.pyKmip = pyKmip;
    int systems =
        SpeedOperation.values().length
            + (pyKmip == null ? 0 : PyKmip.OPERATIONS.size())
            + (plan.quotaPercent() == 0 ? 0 : 2 * SpeedPlan.OF_TWO_SERVERS.size());
    this.measurements = systems * plan.clients().size() * 2;
  }

  /** Returns what is being done, in a line; for any thread. */
  public String progress() {
    return progress;
  }

  /** Returns what has been measured. */
  public List<SpeedRow> rows() {
    return List.copyOf(rows);
  }

  /** Returns why something was not measured, by what it is about. */
  public Map<SpeedSystem, String> without() {
    return Map.copyOf(without);
  }

  /** Says why something is not measured. */
  public void leaveOut(SpeedSystem system, String why) {
    without.put(system, why);
  }

  /**
   * Measures operations of a service, and those that PyKMIP's server has in turn with it.
   *
   * @param service ready, and not used by an earlier call
   * @param port where it serves KMIP
   * @throws IOException if any operation fails; then there are no figures at all
   */
  public void measure(OwnService service, int port, List<SpeedOperation> operations)
      throws IOException, InterruptedException {
    Servers own = new Servers(client, List.of(port));
    try (PairStock stock = new PairStock(service.metrics())) {
      if (operations.contains(SpeedOperation.RSA_FROM_POOL)) {
        // Making pairs would take the processor from the first measurements.
        fill(stock, "before the first measurement");
      }
      for (SpeedOperation operation : operations) {
        measure(SpeedSystem.KEYWELL, own, operation, stock);
        if (pyKmip != null && PyKmip.OPERATIONS.contains(operation)) {
          Servers other = new Servers(client, List.of(pyKmip.port()));
          measure(SpeedSystem.PYKMIP, other, operation, null);
        }
      }
    }
    progress = "the service is stopping";
  }

  /**
   * Measures the first of two servers and both of them, in turn.
   *
   * @param ports where they serve KMIP; they are ready and share their objects
   * @throws IOException if any operation fails
   */
  void measureServers(List<Integer> ports) throws IOException, InterruptedException {
    Servers one = new Servers(client, ports.subList(0, 1));
    Servers both = new Servers(client, ports);
    // The first would be warmer than the second. Making RSA pairs is the HSM's work.
    for (SpeedOperation operation : List.of(SpeedOperation.GET, SpeedOperation.CREATE_AES)) {
      progress = "warming up both servers: " + operation.label();
      if (plan.warmUpSeconds() > 0) {
        SpeedTrial _ =
            loop(both, task(operation, both), true, plan.warmUp().multipliedBy(3), Long.MAX_VALUE)
                .run(2);
      }
    }
    for (SpeedOperation operation : SpeedPlan.OF_TWO_SERVERS) {
      measure(SpeedSystem.ONE_SERVER, one, operation, null);
      measure(SpeedSystem.TWO_SERVERS, both, operation, null);
    }
    progress = "the servers are stopping";
  }

  private static SpeedTask task(SpeedOperation operation, Servers servers) throws IOException {
    try (KmipClient first = servers.connect()) {
      return SpeedTask.of(operation, first);
    }
  }

  private void measure(
      SpeedSystem system, Servers servers, SpeedOperation operation, @Nullable PairStock stock)
      throws IOException, InterruptedException {
    for (int clients : plan.clients()) {
      String what =
          "%s: %s, %d client%s, "
              .formatted(system.label(), operation.label(), clients, clients == 1 ? "" : "s");
      SpeedTask task = task(operation, servers);
      rows.add(
          new SpeedRow(
              system,
              operation,
              clients,
              trial(stock, servers, operation, task, clients, true, what),
              trial(stock, servers, operation, task, clients, false, what)));
    }
  }

  private SpeedTrial trial(
      @Nullable PairStock stock,
      Servers servers,
      SpeedOperation operation,
      SpeedTask task,
      int clients,
      boolean fresh,
      String what)
      throws IOException, InterruptedException {
    done++;
    String place =
        "%d/%d  %s%s"
            .formatted(
                done,
                measurements,
                what,
                fresh ? "a new connection each time" : "kept connections");
    progress = place;
    try {
      if (stock == null || operation != SpeedOperation.RSA_FROM_POOL) {
        if (plan.warmUpSeconds() > 0) {
          SpeedTrial _ = loop(servers, task, fresh, plan.warmUp(), Long.MAX_VALUE).run(clients);
        }
        return loop(servers, task, fresh, plan.time(), Long.MAX_VALUE).run(clients);
      }
      fill(stock, place);
      progress = place;
      int unmeasured = plan.pairsToWarmUp();
      if (unmeasured > 0) {
        SpeedTrial _ = loop(servers, task, fresh, plan.warmUp(), unmeasured).run(clients);
      }
      SpeedTrial trial =
          loop(servers, task, fresh, plan.time(), plan.pairs() - unmeasured).run(clients);
      if (stock.hasMissed()) {
        throw new IOException("the pool was empty before its pairs were used");
      }
      return trial;
    } catch (IOException e) {
      throw new IOException("nothing is recorded: " + place + ": " + e.getMessage(), e);
    }
  }

  private ClosedLoop loop(
      Servers servers, SpeedTask task, boolean fresh, Duration time, long most) {
    return new ClosedLoop(servers, task, fresh, time, most);
  }

  /** Waits until the pool has all pairs, as long as it gets more. */
  private void fill(PairStock stock, String place) throws IOException, InterruptedException {
    long had = -1;
    long since = System.nanoTime();
    long has = stock.ready();
    while (has < plan.pairs()) {
      progress = "%s: filling the pool, %d/%d pairs".formatted(place, has, plan.pairs());
      if (has > had) {
        had = has;
        since = System.nanoTime();
      } else if (System.nanoTime() - since > PAIR_WITHIN.toNanos()) {
        throw new IOException("the pool gets no more pairs: %d of %d".formatted(has, plan.pairs()));
      }
      Thread.sleep(LOOK_EVERY);
      has = stock.ready();
    }
  }
}
