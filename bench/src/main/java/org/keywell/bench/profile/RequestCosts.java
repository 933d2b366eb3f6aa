package org.keywell.bench.profile;

import java.util.ArrayList;
import java.util.List;
import org.keywell.bench.rig.CpuTime;
import org.keywell.bench.suite.Goal;
import org.keywell.bench.suite.Reading;

/**
 * The cost of a request with one kind of key, over all rounds. The operating system accounts for
 * processor time; the profile only divides it.
 */
public final class RequestCosts {
  private static final String MICROS = "µs/request";
  private static final String BYTES = "bytes/request";
  private static final double MICROS_PER_MILLI = 1_000;
  private static final double PERCENT = 100;

  private final String keySpec;
  private CpuTime used = new CpuTime(0, 0);
  private Shares processor = Shares.NONE;
  private int requests;
  private Shares bytes = Shares.NONE;
  private int allocatingRequests;

  public RequestCosts(String keySpec) {
    this.keySpec = keySpec;
  }

  /**
   * Adds a round.
   *
   * @param cpu used by service and database for the requests
   * @param samples how the service's own time is divided
   */
  public void addProcessorTime(int count, CpuTime cpu, Shares samples) {
    requests += count;
    used =
        new CpuTime(
            used.javaMicros() + cpu.javaMicros(), used.postgresMicros() + cpu.postgresMicros());
    processor = processor.plus(samples);
  }

  /**
   * Adds a round.
   *
   * @param allocated in bytes
   */
  public void addAllocation(int count, Shares allocated) {
    allocatingRequests += count;
    bytes = bytes.plus(allocated);
  }

  /** Whether processor time or allocation has no samples yet. */
  public boolean isEmpty() {
    return processor.total() == 0 || bytes.total() == 0;
  }

  /** Returns the service's processor time per request, without that of the HSM's module. */
  public double ownMillis() {
    return javaMicros() * (1 - processor.share(Area.HSM)) / MICROS_PER_MILLI;
  }

  private double javaMicros() {
    return (double) used.javaMicros() / requests;
  }

  /**
   * Returns all figures, areas in their order.
   *
   * @param goal for {@link #ownMillis}
   */
  public List<Reading> readings(Goal goal) {
    List<Reading> readings = new ArrayList<>();
    readings.add(
        new Reading(
            "CPU of Java per " + keySpec + " request, less the HSM's own",
            ownMillis(),
            "ms",
            goal));
    readings.add(
        Reading.of(
            "samples of " + keySpec + " that no area claims",
            PERCENT * processor.share(Area.OTHER),
            "%"));
    addProcessorTime(readings);
    addAllocation(readings);
    return readings;
  }

  private void addProcessorTime(List<Reading> readings) {
    String series = "processor time, " + keySpec + ": ";
    for (Area area : Area.values()) {
      readings.add(Reading.of(series + area.words(), javaMicros() * processor.share(area), MICROS));
    }
    readings.add(Reading.of(series + "service in all", javaMicros(), MICROS));
    readings.add(
        Reading.of(
            series + "PostgreSQL in all", (double) used.postgresMicros() / requests, MICROS));
    for (Area area : Area.values()) {
      if (processor.hsmShareFor(area) > 0) {
        readings.add(
            Reading.of(
                "HSM's time by who asks, " + keySpec + ": " + area.words(),
                javaMicros() * processor.hsmShareFor(area),
                MICROS));
      }
    }
  }

  private void addAllocation(List<Reading> readings) {
    String series = "allocated, " + keySpec + ": ";
    double perRequest = (double) bytes.total() / allocatingRequests;
    for (Area area : Area.values()) {
      readings.add(Reading.of(series + area.words(), perRequest * bytes.share(area), BYTES));
    }
    readings.add(Reading.of(series + "service in all", perRequest, BYTES));
  }
}
