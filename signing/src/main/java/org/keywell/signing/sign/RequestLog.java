package org.keywell.signing.sign;

import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.keywell.signing.request.FailureReason;
import org.keywell.signing.request.RequestTimes;
import org.keywell.signing.request.SignOutcome;
import org.keywell.signing.request.SignRequest;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * A request's line in the log, at most one: its id and how it ended. The record, not the log, has
 * the signer and the content. Signed requests are logged at level DEBUG.
 */
public final class RequestLog {

  private static final Logger log = LoggerFactory.getLogger(RequestLog.class);

  private RequestLog() {}

  /**
   * Reports a request's answer to a listener and the log, once it is durable or cannot become so.
   *
   * @param outcome null: it could not. An open act has not ended, and is not reported
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

  /** Whether the part that failed has logged the reason, with the request's id. */
  private static boolean isTold(FailureReason reason) {
    return switch (reason) {
      case POOL_EMPTY, ORPHAN_LIMIT, ACT_REVOKED -> false;
      case HSM_UNAVAILABLE,
          CA_UNAVAILABLE,
          RECORD_UNAVAILABLE,
          KEY_REFUSED,
          KEY_REUSED,
          INTERRUPTED,
          ERASED,
          INTERNAL ->
          true;
    };
  }
}
