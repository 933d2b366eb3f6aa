package org.keywell.loadgen.speed;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.SSLContext;
import org.keywell.loadgen.service.OwnService;

/** Measures services, operation by operation. One thread uses it, except for {@link #progress}. */
public final class SpeedRun {
  private static final Duration LOOK_EVERY = Duration.ofMillis(250);
  private static final Duration PAIR_WITHIN = Duration.ofMinutes(2);

  private final SpeedPlan plan;
  private final SSLContext client;
  private final List<SpeedRow> rows = new ArrayList<>();
  private int done;
  private volatile String progress = "the service is starting";

  public SpeedRun(SpeedPlan plan, SSLContext client) {
    this.plan = plan;
    this.client = client;
  }

  /** Returns what is being done, in a line; for any thread. */
  public String progress() {
    return progress;
  }

  /** Returns what has been measured. */
  public List<SpeedRow> rows() {
    return List.copyOf(rows);
  }

  /**
   * Measures operations of a service.
   *
   * @param service ready, and not used by an earlier call
   * @param port where it serves KMIP
   * @throws IOException if any operation fails; then there are no figures at all
   */
  public void measure(OwnService service, int port, List<SpeedOperation> operations)
      throws IOException, InterruptedException {
    try (PairStock stock = new PairStock(service.metrics())) {
      measure(stock, port, operations);
    }
    progress = "the service is stopping";
  }

  private void measure(PairStock stock, int port, List<SpeedOperation> operations)
      throws IOException, InterruptedException {
    for (SpeedOperation operation : operations) {
      SpeedTask task;
      try (KmipClient first = KmipClient.connect(client, port)) {
        task = SpeedTask.of(operation, first);
      }
      for (int clients : plan.clients()) {
        SpeedTrial fresh = trial(stock, port, operation, task, clients, true);
        SpeedTrial kept = trial(stock, port, operation, task, clients, false);
        rows.add(new SpeedRow(operation, clients, fresh, kept));
      }
    }
  }

  private SpeedTrial trial(
      PairStock stock,
      int port,
      SpeedOperation operation,
      SpeedTask task,
      int clients,
      boolean fresh)
      throws IOException, InterruptedException {
    done++;
    String what =
        "%s, %d client%s, %s"
            .formatted(
                operation.label(),
                clients,
                clients == 1 ? "" : "s",
                fresh ? "a new connection each time" : "kept connections");
    String place = "%d/%d  %s".formatted(done, plan.measurements(), what);
    try {
      if (operation != SpeedOperation.RSA_FROM_POOL) {
        progress = place;
        if (plan.warmUpSeconds() > 0) {
          SpeedTrial _ = loop(port, task, fresh, plan.warmUp(), Long.MAX_VALUE).run(clients);
        }
        return loop(port, task, fresh, plan.time(), Long.MAX_VALUE).run(clients);
      }
      fill(stock, place);
      progress = place;
      SpeedTrial trial = loop(port, task, fresh, plan.time(), plan.pairs()).run(clients);
      if (stock.hasMissed()) {
        throw new IOException("the pool was empty before its pairs were used");
      }
      return trial;
    } catch (IOException e) {
      throw new IOException("nothing is recorded: " + what + ": " + e.getMessage(), e);
    }
  }

  private ClosedLoop loop(int port, SpeedTask task, boolean fresh, Duration time, long most) {
    return new ClosedLoop(client, port, task, fresh, time, most);
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
