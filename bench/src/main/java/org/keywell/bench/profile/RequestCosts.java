package org.keywell.bench.profile;

import java.util.ArrayList;
import java.util.List;
import org.keywell.bench.rig.CpuTime;
import org.keywell.bench.suite.Goal;
import org.keywell.bench.suite.Reading;

/**
 * What a request with one kind of key costs, of all rounds together. What a process has used is the
 * system's account; a profile only says how it is divided.
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
   * @param cpu what service and database used for the requests
   * @param samples how the service's own is divided
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

  /** Whether there is nothing yet that could be divided. */
  public boolean isEmpty() {
    return processor.total() == 0 || bytes.total() == 0;
  }

  /** Of the service a request, without what the HSM's own module used. */
  public double ownMillis() {
    return javaMicros() * (1 - processor.share(Area.HSM)) / MICROS_PER_MILLI;
  }

  private double javaMicros() {
    return (double) used.javaMicros() / requests;
  }

  /**
   * All figures, of areas in their order.
   *
   * @param goal what {@link #ownMillis} is held against
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
