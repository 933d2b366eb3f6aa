package org.keywell.service.sign;

import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.keywell.service.request.FailureReason;
import org.keywell.service.request.RequestTimes;
import org.keywell.service.request.SignOutcome;
import org.keywell.service.request.SignRequest;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * The line that a request leaves in the log, at most: its id and how it ended. Who signs, and what,
 * is in the record and not here. Signed requests are told at level DEBUG.
 */
public final class RequestLog {

  private static final Logger log = LoggerFactory.getLogger(RequestLog.class);

  private RequestLog() {}

  /**
   * Tells a listener, and the log, of a request's answer, when it is durable, or cannot be made so.
   *
   * @param outcome null: it could not. An act that stands open has not ended, and is not told of
   */
  public static void tell(
      SignListener listener, PendingRequest pending, @Nullable SignOutcome outcome) {
    if (pending.times().acceptedNanos().isEmpty() || outcome instanceof SignOutcome.Opened) {
      return;
    }
    if (outcome == null) {
      listener.abandoned();
    } else {
      if (pending.keeper() == null) {
        listener.ended(pending.request().requestId(), pending.times(), outcome);
      } else {
        listener.actEnded(pending.request().requestId(), pending.times(), outcome);
      }
      ended(pending.request().requestId(), pending.times(), outcome);
    }
  }

  private static void ended(UUID requestId, RequestTimes times, SignOutcome outcome) {
    switch (outcome) {
      case SignOutcome.Signed signed -> tell(Level.DEBUG, requestId, times, "signed");
      case SignOutcome.Expired expired -> tell(Level.INFO, requestId, times, "expired");
      case SignOutcome.Cancelled cancelled -> tell(Level.DEBUG, requestId, times, "cancelled");
      case SignOutcome.Opened opened -> tell(Level.DEBUG, requestId, times, "opened");
      case SignOutcome.Failed failed -> {
        if (!isTold(failed.reason())) {
          tell(Level.WARN, requestId, times, "failed: " + failed.reason().label());
        }
      }
    }
  }

  private static void tell(Level level, UUID requestId, RequestTimes times, String end) {
    log.atLevel(level)
        .addKeyValue(SignRequest.ID_IN_LOGS, requestId)
        .log("request {} {} after {} ms", requestId, end, times.sinceReceipt().toMillis());
  }

  /** Whether the part that failed has told why, with the request's id. */
  private static boolean isTold(FailureReason reason) {
    return switch (reason) {
      case POOL_EMPTY, ORPHAN_LIMIT -> false;
      case HSM_UNAVAILABLE,
          CA_UNAVAILABLE,
          RECORD_UNAVAILABLE,
          KEY_REFUSED,
          KEY_REUSED,
          INTERRUPTED,
          INTERNAL ->
          true;
    };
  }
}
