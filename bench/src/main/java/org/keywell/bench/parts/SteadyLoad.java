package org.keywell.bench.parts;

import java.io.IOException;
import java.net.URI;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import org.keywell.bench.rig.Stock;
import org.keywell.client.KeywellClient;
import org.keywell.loadgen.drive.ClosedLoopDriver;
import org.keywell.loadgen.drive.LiveFigures;
import org.keywell.loadgen.drive.NumberedContent;
import org.keywell.loadgen.drive.OpenLoopDriver;
import org.keywell.loadgen.drive.Pacer;
import org.keywell.loadgen.drive.Sample;
import org.keywell.loadgen.drive.ServiceTarget;
import org.keywell.loadgen.drive.Target;
import org.keywell.loadgen.schedule.Schedule;
import org.keywell.loadgen.watch.PoolPoint;
import org.keywell.loadgen.watch.PoolWatch;

/**
 * Requests at a steady pace, whether or not earlier ones are answered. They show what a lone
 * request takes: the service has little else to do.
 */
final class SteadyLoad implements AutoCloseable {
  static final int PER_SECOND = 50;

  static final Duration DEADLINE = Duration.ofSeconds(30);
  private static final Duration LOOK_EVERY = Duration.ofMillis(20);
  private static final int IN_FLIGHT_LIMIT = 5_000;

  /** EC requests after which this process is as well compiled as the service. */
  static final int WARM_UP_KEYS = 3_000;

  private static final int WARM_UP_CALLERS = 8;

  private final KeywellClient client;

  SteadyLoad(URI service) {
    this.client = new KeywellClient(service, DEADLINE, null);
  }

  /** Returns the schedule of a run with this many requests. */
  static Schedule schedule(int requests) {
    return Schedule.constant("steady", PER_SECOND, (double) requests / PER_SECOND);
  }

  /** Sends requests until this process's code is compiled, as the service's is. */
  void warmUp(int requests) throws IOException, InterruptedException {
    ClosedLoopDriver driver = new ClosedLoopDriver(target(Stock.EC), System::nanoTime);
    var _ = signed(driver.run(requests, Math.min(WARM_UP_CALLERS, requests)));
  }

  /**
   * Sends each request when it is due.
   *
   * @throws IOException if a request was not signed
   */
  List<Sample> run(Schedule schedule, String keySpec) throws IOException, InterruptedException {
    return signed(outcomes(schedule, keySpec));
  }

  /** Like {@link #run}, regardless of what becomes of the requests. */
  List<Sample> outcomes(Schedule schedule, String keySpec) throws InterruptedException {
    return driver(keySpec).run(schedule);
  }

  /**
   * Like {@link #run}, while polling the pool of one kind of key every 20 ms.
   *
   * @param watched the kind
   */
  Watched watched(Schedule schedule, String keySpec, String watched)
      throws IOException, InterruptedException {
    OpenLoopDriver driver = driver(keySpec);
    try (PoolWatch watch = new PoolWatch(client, watched, driver::elapsedNanos, LOOK_EVERY)) {
      List<Sample> samples = signed(driver.run(schedule));
      return new Watched(samples, watch.points());
    }
  }

  /**
   * A run, and the state of the pool meanwhile.
   *
   * @param points on the same time scale as the samples
   */
  record Watched(List<Sample> samples, List<PoolPoint> points) {}

  private OpenLoopDriver driver(String keySpec) {
    return new OpenLoopDriver(
        target(keySpec), Pacer.onSystemClock(), IN_FLIGHT_LIMIT, DEADLINE, new LiveFigures());
  }

  private Target target(String keySpec) {
    NumberedContent content = new NumberedContent(new SecureRandom().nextLong());
    return new ServiceTarget(client, content, keySpec, DEADLINE.toMillis(), null);
  }

  private static List<Sample> signed(List<Sample> samples) throws IOException {
    List<Sample> others = samples.stream().filter(sample -> !sample.isSigned()).toList();
    if (!others.isEmpty()) {
      throw new IOException(
          "%d of %d requests were not signed; the first: %s %s"
              .formatted(
                  others.size(),
                  samples.size(),
                  others.getFirst().outcome().kind().label(),
                  others.getFirst().outcome().problem()));
    }
    return samples;
  }

  @Override
  public void close() {
    client.close();
  }
}
