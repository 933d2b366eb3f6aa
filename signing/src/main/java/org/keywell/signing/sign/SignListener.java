package org.keywell.signing.sign;

import java.util.UUID;
import org.keywell.signing.request.RequestTimes;
import org.keywell.signing.request.SignOutcome;

/**
 * Listens to what happens to valid requests: each is refused, repeated, unrecorded or accepted; an
 * accepted one is reported again, as ended or abandoned. Thread-safe; must not block or throw.
 * Methods do nothing unless overridden.
 */
public interface SignListener {

  /** Ignores all events. */
  SignListener NONE = new SignListener() {};

  /** A request hit a limit. */
  default void refused(AdmissionLimit limit) {}

  /** A request's id was known, or its ticket had served another. */
  default void repeated() {}

  /** A request's receipt could not be made durable. */
  default void unrecorded() {}

  /** A request's receipt is durable. */
  default void accepted() {}

  /** An accepted request's outcome is durable now. */
  default void ended(UUID requestId, RequestTimes times, SignOutcome outcome) {}

  /**
   * The same for an act in two calls, or its first call if that opened none: in between, the act
   * waits for its caller, so its times say nothing about the service.
   */
  default void actEnded(UUID actId, RequestTimes times, SignOutcome outcome) {}

  /** An accepted request's outcome could not be made durable. */
  default void abandoned() {}

  /** Abandoned requests that are still on record as received are closed as failed. */
  default void closedUnrecorded(int requests) {}

  /** Requests that an earlier run left in flight are closed as failed. */
  default void interrupted(int requests) {}

  /** Notifies this one first, then the other. */
  default SignListener andThen(SignListener next) {
    SignListener first = this;
    return new SignListener() {
      @Override
      public void refused(AdmissionLimit limit) {
        first.refused(limit);
        next.refused(limit);
      }

      @Override
      public void repeated() {
        first.repeated();
        next.repeated();
      }

      @Override
      public void unrecorded() {
        first.unrecorded();
        next.unrecorded();
      }

      @Override
      public void accepted() {
        first.accepted();
        next.accepted();
      }

      @Override
      public void ended(UUID requestId, RequestTimes times, SignOutcome outcome) {
        first.ended(requestId, times, outcome);
        next.ended(requestId, times, outcome);
      }

      @Override
      public void actEnded(UUID actId, RequestTimes times, SignOutcome outcome) {
        first.actEnded(actId, times, outcome);
        next.actEnded(actId, times, outcome);
      }

      @Override
      public void abandoned() {
        first.abandoned();
        next.abandoned();
      }

      @Override
      public void closedUnrecorded(int requests) {
        first.closedUnrecorded(requests);
        next.closedUnrecorded(requests);
      }

      @Override
      public void interrupted(int requests) {
        first.interrupted(requests);
        next.interrupted(requests);
      }
    };
  }
}
