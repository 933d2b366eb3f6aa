package org.keywell.service.record;

import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.keywell.service.request.FailureReason;
import org.keywell.service.request.KeyUse;
import org.keywell.service.request.RequestTimes;
import org.keywell.service.request.SignOutcome;
import org.keywell.service.request.SignRequest;

/** One thing that waits for a group commit. */
sealed interface Entry {

  SignRequest request();

  CompletableFuture<?> durable();

  default UUID requestId() {
    return request().requestId();
  }

  /**
   * A request that was received.
   *
   * @param durable true: the request is on record as received; false: its id was known before, or
   *     its ticket has served another
   */
  record Intent(SignRequest request, RequestTimes times, CompletableFuture<Boolean> durable)
      implements Entry {}

  /**
   * The digests of an act that stands open.
   *
   * @param request has them
   * @param durable true: they are on record, and the act still stood open; false: it did not
   */
  record Digests(SignRequest request, Instant received, CompletableFuture<Boolean> durable)
      implements Entry {}

  /**
   * A request that ended, or an act in two calls that stands open.
   *
   * @param durable the outcome that is on record
   * @param giveUpNanos by {@link System#nanoTime}: from then on no further attempt is made
   */
  record Outcome(
      SignRequest request,
      RequestTimes times,
      SignOutcome outcome,
      CompletableFuture<SignOutcome> durable,
      long giveUpNanos)
      implements Entry {

    /** The key that was spent, if one was. */
    Optional<KeyUse> keyUse() {
      return Optional.ofNullable(outcome.keyUse());
    }

    /** The pool row of the key that was spent; empty also if the key was made on the fly. */
    Optional<Long> keyId() {
      return keyUse().map(KeyUse::keyId);
    }

    /** The same request's end, with nothing released and its key named apart. */
    Outcome keyReused(KeyUse use) {
      SignOutcome failed =
          outcome instanceof SignOutcome.Failed before
              ? new SignOutcome.Failed(
                  before.reason(), before.detail(), use.asRecordedElsewhere(), before.issued())
              : new SignOutcome.Failed(
                  FailureReason.KEY_REUSED,
                  "the signature is withheld",
                  use.asRecordedElsewhere(),
                  outcome.issued());
      return new Outcome(request, times, failed, durable, giveUpNanos);
    }
  }
}
