package org.keywell.bench.tables;

import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.LongSupplier;
import org.keywell.bench.tables.TablesPlan.Step;
import org.keywell.bench.tables.measure.Meter;
import org.keywell.loadgen.text.Quantity;

/**
 * A run's progress and remaining time, estimated from measurements of a step's group so far and
 * from expectations before that. Thread-safe.
 */
final class Underway implements Meter {
  private final List<Step> steps;
  private final LongSupplier nanoClock;
  private final Map<String, Double> measuredMillis = new HashMap<>();
  private int step = -1;
  private int done;
  private long stepBeganNanos;
  private volatile boolean stopped;

  Underway(TablesPlan plan, LongSupplier nanoClock) {
    this.steps = plan.steps();
    this.nanoClock = nanoClock;
  }

  synchronized void begin(int nextStep) {
    step = nextStep;
    done = 0;
    stepBeganNanos = nanoClock.getAsLong();
  }

  /** Ends the step; its duration counts for others of its group. */
  synchronized void end() {
    if (done > 0) {
      measuredMillis.put(steps.get(step).group(), millisInStep() / done);
    }
    begin(step + 1);
  }

  @Override
  public synchronized void advance() {
    done++;
  }

  @Override
  public boolean stopped() {
    return stopped;
  }

  void stop() {
    stopped = true;
  }

  /** Estimates how long the rest will take. */
  synchronized double secondsLeft() {
    double millis = 0;
    for (int i = Math.max(step, 0); i < steps.size(); i++) {
      millis += i == step ? leftOfThisStep() : steps.get(i).units() * perUnit(steps.get(i));
    }
    return millis / 1e3;
  }

  private double leftOfThisStep() {
    Step now = steps.get(step);
    if (done > 0) {
      return millisInStep() / done * Math.max(0, now.units() - done);
    }
    return Math.max(0, now.units() * perUnit(now) - millisInStep());
  }

  private double perUnit(Step of) {
    return measuredMillis.getOrDefault(of.group(), of.expectedMillis());
  }

  private double millisInStep() {
    return (nanoClock.getAsLong() - stepBeganNanos) / 1e6;
  }

  /** Returns one line on the run's progress. */
  synchronized String line() {
    if (stopped || step >= steps.size()) {
      return where();
    }
    String left = " | about " + Quantity.time(Math.ceil(secondsLeft())) + " left";
    return step < 0
        ? where() + left
        : String.format(Locale.ROOT, "%s: %,d of %,d", where(), done, steps.get(step).units())
            + left;
  }

  /** Returns what is being done, or where it failed. */
  synchronized String where() {
    if (stopped || step >= steps.size()) {
      return "tidying up";
    }
    return step < 0 ? "getting ready" : steps.get(step).words();
  }
}
