package org.keywell.operations.metrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.keywell.rest.problem.ProblemType;
import org.keywell.rest.security.RefusalListener;
import org.keywell.rest.security.RefusedRequest;

/** Refusals by caller: one series for each caller and problem that occurred. */
final class RefusalMetrics implements RefusalListener {

  private record Series(String caller, ProblemType problem) {}

  private final Meters meters;
  private final ConcurrentMap<Series, Counter> counters = new ConcurrentHashMap<>();

  RefusalMetrics(MeterRegistry registry) {
    this.meters = new Meters(registry);
  }

  @Override
  public void refused(RefusedRequest request) {
    counters
        .computeIfAbsent(new Series(request.caller(), request.problem()), this::counter)
        .increment();
  }

  private Counter counter(Series series) {
    return meters.counter(
        "keywell.caller.problems",
        "Problems that a caller was answered with",
        "caller",
        series.caller(),
        "type",
        series.problem().label());
  }
}
