package org.keywell.loadgen.schedule;

import java.util.ArrayList;
import java.util.List;

/**
 * When each request of a run is due, in nanoseconds from the run's start. The first request is due
 * at 0, each other one by its predecessor's delay later. Immutable.
 */
public final class Schedule {

  /** A run keeps a row and an answer for each request in memory. */
  public static final int MAX_REQUESTS = 100_000;

  private final String name;
  private final List<Step> steps;
  private final double timeScale;
  private final long[] startsNanos;

  private Schedule(String name, List<Step> steps, double timeScale) {
    this.name = name;
    this.steps = List.copyOf(steps);
    this.timeScale = timeScale;
    this.startsNanos = new long[steps.size()];
    long start = 0;
    int next = 1;
    for (int i = 0; i < startsNanos.length; i++) {
      Step step = steps.get(i);
      if (step.from() != next) {
        throw new IllegalArgumentException(
            "step %d begins with request %d instead of %d".formatted(i + 1, step.from(), next));
      }
      startsNanos[i] = start;
      start = Math.addExact(start, step.durationNanos());
      next = step.to() + 1;
    }
  }

  /**
   * Creates a schedule.
   *
   * @param name for people
   * @param steps in order; each starts with the request after its predecessor's last
   * @throws IllegalArgumentException if there is no step, a gap between two, or more than {@link
   *     #MAX_REQUESTS} requests
   */
  public static Schedule of(String name, List<Step> steps) {
    if (steps.isEmpty() || steps.getLast().to() > MAX_REQUESTS) {
      throw new IllegalArgumentException("a schedule has 1 to " + MAX_REQUESTS + " requests");
    }
    return new Schedule(name, steps, 1);
  }

  /** Returns a constant rate for a while: at least one request. */
  public static Schedule constant(String name, double perSecond, double seconds) {
    int requests = Math.clamp(Math.round(perSecond * seconds), 1, MAX_REQUESTS);
    long delayNanos = Math.max(1, Math.round(1e9 / perSecond));
    return of(name, List.of(new Step(1, requests, delayNanos, false)));
  }

  /**
   * Returns the same requests in {@code factor} times the time: 0.1 makes the run ten times as
   * short and every rate ten times as high.
   *
   * @param factor more than 0
   */
  public Schedule scaled(double factor) {
    if (!(factor > 0) || Double.isInfinite(factor)) {
      throw new IllegalArgumentException("a time scale is more than 0, not " + factor);
    }
    List<Step> scaled = new ArrayList<>();
    for (Step step : steps) {
      long delayNanos = Math.max(1, Math.round(step.delayNanos() * factor));
      scaled.add(new Step(step.from(), step.to(), delayNanos, step.inferred()));
    }
    return new Schedule(name, scaled, timeScale * factor);
  }

  public String name() {
    return name;
  }

  public List<Step> steps() {
    return steps;
  }

  /** Returns the factor by which the times differ from the source's; 1 if they do not. */
  public double timeScale() {
    return timeScale;
  }

  public int requests() {
    return steps.getLast().to();
  }

  /** Returns the time from the first request to one delay after the last. */
  public long durationNanos() {
    return startNanos(steps.size() - 1) + steps.getLast().durationNanos();
  }

  /** Returns when the step with the given index, from 0, starts. */
  public long startNanos(int stepIndex) {
    return startsNanos[stepIndex];
  }

  /** Returns the index, from 0, of the step with the given request. */
  public int stepOf(int request) {
    if (request < 1 || request > requests()) {
      throw new IllegalArgumentException("there is no request " + request);
    }
    int index = 0;
    while (request > steps.get(index).to()) {
      index++;
    }
    return index;
  }

  /** Returns when the request with the given number, from 1, is due. */
  public long dueNanos(int request) {
    int index = stepOf(request);
    Step step = steps.get(index);
    return startsNanos[index] + (request - step.from()) * step.delayNanos();
  }

  /** Returns the rate due at the given time; 0 before the start and after the end. */
  public double perSecondAt(long nanos) {
    if (nanos < 0 || nanos >= durationNanos()) {
      return 0;
    }
    int index = 0;
    while (index + 1 < startsNanos.length && nanos >= startsNanos[index + 1]) {
      index++;
    }
    return steps.get(index).perSecond();
  }

  public double highestPerSecond() {
    return steps.stream().mapToDouble(Step::perSecond).max().orElseThrow();
  }
}
