package org.keywell.service.ops.metrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import org.keywell.service.problem.ProblemListener;
import org.keywell.service.problem.ProblemType;

/** Problems that callers were answered with. */
final class ProblemMetrics implements ProblemListener {

  private final Map<ProblemType, Counter> counters = new EnumMap<>(ProblemType.class);

  ProblemMetrics(MeterRegistry registry) {
    Meters meters = new Meters(registry);
    for (ProblemType type : ProblemType.values()) {
      counters.put(
          type,
          meters.counter(
              "keywell.problems",
              "Problems that callers were answered with",
              "type",
              type.label()));
    }
  }

  @Override
  public void answered(ProblemType type) {
    Objects.requireNonNull(counters.get(type)).increment();
  }
}
