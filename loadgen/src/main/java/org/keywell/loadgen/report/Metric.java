package org.keywell.loadgen.report;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;

/** A figure that can be required. Durations run from when requests were due. */
enum Metric {
  P50(Unit.MILLIS),
  P90(Unit.MILLIS),
  P99(Unit.MILLIS),
  P999(Unit.MILLIS),
  MAX(Unit.MILLIS),
  MEAN(Unit.MILLIS),
  DROPPED(Unit.COUNT),
  REFUSED(Unit.COUNT),
  FAILED(Unit.COUNT),
  TIMEOUTS(Unit.COUNT),
  SIGNED(Unit.COUNT),
  PREGENERATED(Unit.COUNT),
  SHARE300(Unit.PERCENT),
  SHARE3000(Unit.PERCENT);

  enum Unit {
    MILLIS,
    COUNT,
    PERCENT
  }

  private final Unit unit;

  Metric(Unit unit) {
    this.unit = unit;
  }

  Unit unit() {
    return unit;
  }

  String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  static List<String> labels() {
    return Arrays.stream(values()).map(Metric::label).toList();
  }

  /** In this metric's unit; empty for a latency if no request was signed. */
  OptionalDouble of(Figures figures) {
    if (unit == Unit.MILLIS && figures.fromDue() == null) {
      return OptionalDouble.empty();
    }
    Latency latency = Latency.orZero(figures.fromDue());
    return OptionalDouble.of(
        switch (this) {
          case P50 -> latency.p50();
          case P90 -> latency.p90();
          case P99 -> latency.p99();
          case P999 -> latency.p999();
          case MAX -> latency.max();
          case MEAN -> latency.mean();
          case DROPPED -> figures.dropped();
          case REFUSED -> figures.refused();
          case FAILED -> figures.failed();
          case TIMEOUTS -> figures.timeouts();
          case SIGNED -> figures.signed();
          case PREGENERATED -> figures.preGenerated();
          case SHARE300 -> 100 * figures.share300();
          case SHARE3000 -> 100 * figures.share3000();
        });
  }
}
