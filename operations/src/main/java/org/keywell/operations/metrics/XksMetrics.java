package org.keywell.operations.metrics;

import io.micrometer.core.instrument.MeterRegistry;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.keywell.xks.api.AnswerListener;
import org.keywell.xks.api.XksApi;
import org.keywell.xks.error.XksError;

/** Requests of the external key store, by operation and the specification's error. */
final class XksMetrics implements AnswerListener {

  private static final String SUCCESS = "success";

  /** What alerts ask for. They start at 0, so that the first one shows. */
  private static final List<XksError> WATCHED =
      List.of(XksError.INTERNAL, XksError.DEPENDENCY_TIMEOUT, XksError.THROTTLING);

  private final AnswerMeters meters;

  XksMetrics(MeterRegistry registry) {
    this.meters = new AnswerMeters(new Meters(registry), "keywell.xks", "requests", "XKS");
    for (String operation : XksApi.operations()) {
      WATCHED.forEach(error -> meters.count(operation, error.label(), 0));
    }
  }

  @Override
  public void answered(@Nullable String operation, @Nullable String error, long nanos) {
    String name = operation == null ? AnswerMeters.NONE : operation;
    meters.count(name, error == null ? SUCCESS : error, 1);
    if (operation != null) {
      meters.time(name, nanos);
    }
  }
}
