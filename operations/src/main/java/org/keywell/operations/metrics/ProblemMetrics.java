package org.keywell.operations.metrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import org.keywell.rest.problem.ProblemListener;
import org.keywell.rest.problem.ProblemType;

/** Problems in answers to callers, and callers that hung up. */
final class ProblemMetrics implements ProblemListener {

  private final Map<ProblemType, Counter> counters = new EnumMap<>(ProblemType.class);

  private final Counter hangUps;

  ProblemMetrics(MeterRegistry registry) {
    Meters meters = new Meters(registry);
    hangUps =
        meters.counter("keywell.hangups", "Callers who hung up within a request or its answer");
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

  @Override
  public void hungUp() {
    hangUps.increment();
  }
}
