package org.keywell.bench.modes;

import java.io.IOException;
import java.security.SecureRandom;
import java.time.Duration;
import org.keywell.client.KeywellClient;
import org.keywell.loadgen.cli.Interruption;
import org.keywell.loadgen.drive.ClosedLoopDriver;
import org.keywell.loadgen.drive.NumberedContent;
import org.keywell.loadgen.drive.ServiceTarget;
import org.keywell.loadgen.drive.Target;
import org.keywell.loadgen.service.OwnService;

/** Callers of one service that each wait for an answer before they send the next request. */
public final class ClosedLoop implements AutoCloseable {
  private static final Duration DEADLINE = Duration.ofMinutes(1);

  private final KeywellClient client;
  private final String keySpec;
  private final int callers;
  private final Interruption interruption;

  public ClosedLoop(OwnService service, String keySpec, int callers, Interruption interruption) {
    this.client = new KeywellClient(service.url(), DEADLINE, null);
    this.keySpec = keySpec;
    this.callers = callers;
    this.interruption = interruption;
  }

  /**
   * Sends requests and waits until all are answered.
   *
   * @throws IOException if a request was not signed, or a signal ended the run
   */
  public ClosedRun run(int requests) throws IOException, InterruptedException {
    return run(
        new ServiceTarget(client, newContent(), keySpec, DEADLINE.toMillis(), null), requests);
  }

  /** Like {@link #run(int)}, in the given form. */
  ClosedRun run(Form form, int requests) throws IOException, InterruptedException {
    return run(new FormTarget(client, form, newContent(), keySpec, DEADLINE.toMillis()), requests);
  }

  private static NumberedContent newContent() {
    return new NumberedContent(new SecureRandom().nextLong());
  }

  private ClosedRun run(Target target, int requests) throws IOException, InterruptedException {
    ClosedLoopDriver driver = new ClosedLoopDriver(target, System::nanoTime);
    interruption.stops(driver::stop);
    ClosedRun run = ClosedRun.of(driver.run(requests, callers));
    if (interruption.hasCome()) {
      throw new IOException("interrupted");
    }
    if (run.signed() < requests) {
      throw new IOException(
          "%d of %d requests were not signed; the first problem: %s"
              .formatted(requests - run.signed(), requests, run.firstProblem()));
    }
    return run;
  }

  @Override
  public void close() {
    client.close();
  }
}
