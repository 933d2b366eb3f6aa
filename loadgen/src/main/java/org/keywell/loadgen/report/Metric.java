package org.keywell.loadgen.report;

import java.util.List;
import java.util.OptionalDouble;
import java.util.function.ToDoubleFunction;

/**
 * A figure that can be required. Durations count from when requests were due.
 *
 * @param label its name in a requirement
 */
record Metric(String label, Unit unit, ToDoubleFunction<Figures> figure) {
  enum Unit {
    MILLIS,
    COUNT,
    PERCENT
  }

  static final List<Metric> ALL =
      List.of(
          latency("p50", Latency::p50),
          latency("p90", Latency::p90),
          latency("p99", Latency::p99),
          latency("p999", Latency::p999),
          latency("max", Latency::max),
          latency("mean", Latency::mean),
          new Metric("dropped", Unit.COUNT, Figures::dropped),
          new Metric("refused", Unit.COUNT, Figures::refused),
          new Metric("failed", Unit.COUNT, Figures::failed),
          new Metric("timeouts", Unit.COUNT, Figures::timeouts),
          new Metric("signed", Unit.COUNT, Figures::signed),
          new Metric("pregenerated", Unit.COUNT, Figures::preGenerated),
          new Metric("share300", Unit.PERCENT, figures -> 100 * figures.share300()),
          new Metric("share3000", Unit.PERCENT, figures -> 100 * figures.share3000()));

  private static Metric latency(String label, ToDoubleFunction<Latency> of) {
    return new Metric(
        label, Unit.MILLIS, figures -> of.applyAsDouble(Latency.orZero(figures.fromDue())));
  }

  /** Returns the value in this metric's unit; empty for a latency if no request was signed. */
  OptionalDouble of(Figures figures) {
    return unit == Unit.MILLIS && figures.fromDue() == null
        ? OptionalDouble.empty()
        : OptionalDouble.of(figure.applyAsDouble(figures));
  }
}
