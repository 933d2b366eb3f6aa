package org.keywell.loadgen.report;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.keywell.client.KeywellClient;
import org.keywell.loadgen.drive.LiveFigures;
import org.keywell.loadgen.drive.NullServer;
import org.keywell.loadgen.drive.NumberedContent;
import org.keywell.loadgen.drive.OpenLoopDriver;
import org.keywell.loadgen.drive.Pacer;
import org.keywell.loadgen.drive.Sample;
import org.keywell.loadgen.drive.ServiceTarget;
import org.keywell.loadgen.schedule.Schedule;

/**
 * Drives a server that does nothing, to see which rates the driver itself can hold. Also warms up
 * the driver, so that its own start does not affect what is measured next.
 */
public final class NullTrial implements AutoCloseable {
  private static final Duration TIMEOUT = Duration.ofSeconds(5);
  private static final int IN_FLIGHT_LIMIT = 10_000;
  private static final double LONGEST_TAIL_SECONDS = 0.1;

  private final NullServer server;
  private final KeywellClient client;

  private NullTrial(NullServer server) {
    this.server = server;
    this.client = new KeywellClient(server.uri(), TIMEOUT, null);
  }

  public static NullTrial start() throws IOException {
    return new NullTrial(NullServer.start());
  }

  /** Drives at one rate for some time. */
  public DriverSettings.NullRate drive(double perSecond, double seconds)
      throws InterruptedException {
    Schedule schedule = Schedule.constant("null", perSecond, seconds);
    ServiceTarget target = new ServiceTarget(client, new NumberedContent(0), null, null, null);
    OpenLoopDriver driver =
        new OpenLoopDriver(
            target, Pacer.onSystemClock(), IN_FLIGHT_LIMIT, TIMEOUT, new LiveFigures());
    List<Sample> samples = driver.run(schedule);
    RunFigures figures = RunFigures.of(schedule, samples);
    double late = Latency.orZero(figures.sendLateness()).p99();
    boolean keptUp =
        figures.totals().signed() == schedule.requests()
            && figures.durationSeconds() <= schedule.durationNanos() / 1e9 + LONGEST_TAIL_SECONDS;
    return new DriverSettings.NullRate(perSecond, keptUp, late);
  }

  @Override
  public void close() {
    client.close();
    server.close();
  }
}
