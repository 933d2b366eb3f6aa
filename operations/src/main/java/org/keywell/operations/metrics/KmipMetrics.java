package org.keywell.operations.metrics;

import io.micrometer.core.instrument.MeterRegistry;
import org.jspecify.annotations.Nullable;
import org.keywell.kmip.message.AnswerListener;
import org.keywell.kmip.table.Enumerations;

/** KMIP operations by result. Labels are of tables, not of what clients send. */
final class KmipMetrics implements AnswerListener {

  /** An operation that the table does not have. */
  private static final String OTHER = "other";

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

  private final AnswerMeters meters;

  KmipMetrics(MeterRegistry registry) {
    this.meters = new AnswerMeters(new Meters(registry), "keywell.kmip", "operations", "KMIP");
    // Start at 0, so that the first failure shows.
    Enumerations.of("Operation").stream()
        .filter(operation -> "client".equals(operation.detail()))
        .forEach(operation -> count(operation.name(), Result.FAILED, 0));
  }

  @Override
  public void answered(@Nullable String operation, @Nullable String failure, long nanos) {
    String name = operation == null ? OTHER : operation;
    count(name, failure == null ? Result.SUCCESS : Result.of(failure), 1);
    meters.time(name, nanos);
  }

  @Override
  public void refused(String reason) {
    count(AnswerMeters.NONE, Result.of(reason), 1);
  }

  private void count(String operation, Result result, int times) {
    meters.count(operation, Meters.label(result), times);
  }
}
