package org.keywell.operations.metrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.keywell.kmip.message.AnswerListener;
import org.keywell.kmip.table.Enumerations;

/** KMIP operations by result. Labels are of tables, not of what clients send. */
final class KmipMetrics implements AnswerListener {

  private static final String LABEL = "operation";

  /** An operation that the table does not have. */
  private static final String OTHER = "other";

  /** A message that was refused before any operation. */
  private static final String NONE = "none";

  /** What operators tell apart. */
  private enum Result {
    SUCCESS,
    DENIED,
    NOT_FOUND,
    UNSUPPORTED,
    LIMIT,
    INVALID,
    /** The only one by fault of the service. */
    FAILED;

    static Result of(String reason) {
      return switch (reason) {
        case "GeneralFailure", "InternalServerError" -> FAILED;
        case "AuthenticationNotSuccessful", "PermissionDenied", "Sensitive", "NotExtractable" ->
            DENIED;
        case "ItemNotFound", "ObjectNotFound" -> NOT_FOUND;
        case "ServerLimitExceeded", "ResponseTooLarge" -> LIMIT;
        default ->
            reason.endsWith("NotSupported") || reason.startsWith("Unsupported")
                ? UNSUPPORTED
                : INVALID;
      };
    }
  }

  private record Series(String operation, Result result) {}

  private final Meters meters;
  private final ConcurrentMap<Series, Counter> counters = new ConcurrentHashMap<>();
  private final ConcurrentMap<String, Timer> timers = new ConcurrentHashMap<>();

  KmipMetrics(MeterRegistry registry) {
    this.meters = new Meters(registry);
    // Start at 0, so that the first failure shows.
    Enumerations.of("Operation").stream()
        .filter(operation -> "client".equals(operation.detail()))
        .forEach(operation -> count(operation.name(), Result.FAILED, 0));
  }

  @Override
  public void answered(@Nullable String operation, @Nullable String failure, long nanos) {
    String name = operation == null ? OTHER : operation;
    count(name, failure == null ? Result.SUCCESS : Result.of(failure), 1);
    timers
        .computeIfAbsent(
            name,
            of -> meters.timer("keywell.kmip", "KMIP operations, failed ones included", LABEL, of))
        .record(nanos, TimeUnit.NANOSECONDS);
  }

  @Override
  public void refused(String reason) {
    count(NONE, Result.of(reason), 1);
  }

  private void count(String operation, Result result, int times) {
    counters
        .computeIfAbsent(
            new Series(operation, result),
            of ->
                meters.counter(
                    "keywell.kmip.operations",
                    "KMIP operations by result",
                    LABEL,
                    of.operation(),
                    "result",
                    Meters.label(of.result())))
        .increment(times);
  }
}
