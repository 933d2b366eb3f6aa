package org.keywell.signing.record;

import java.math.BigInteger;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.keywell.ca.revocation.CrlShard;
import org.keywell.signing.request.FailureReason;
import org.keywell.signing.request.KeyUse;
import org.keywell.signing.request.RequestTimes;
import org.keywell.signing.request.SignOutcome;
import org.keywell.signing.request.SignRequest;

/** An entry that waits for a group commit. */
sealed interface Entry {

  SignRequest request();

  CompletableFuture<?> durable();

  default UUID requestId() {
    return request().requestId();
  }

  /**
   * A request that was received.
   *
   * @param durable true: the request is on record as received; false: its id was known, or its
   *     ticket has served another
   */
  record Intent(SignRequest request, RequestTimes times, CompletableFuture<Boolean> durable)
      implements Entry {}

  /**
   * The digests of an open act.
   *
   * @param request contains them
   * @param list of revoked certificates that the act's one names
   * @param durable how the act stood; they are on record if it was open
   */
  record Digests(
      SignRequest request,
      BigInteger serial,
      Optional<CrlShard> list,
      Instant received,
      CompletableFuture<ActStanding> durable)
      implements Entry {}

  /**
   * A request that ended, or an act in two calls that is open.
   *
   * @param durable the outcome that is on record
   * @param giveUpNanos by {@link System#nanoTime}: no further attempt from then on
   */
  record Outcome(
      SignRequest request,
      RequestTimes times,
      SignOutcome outcome,
      CompletableFuture<SignOutcome> durable,
      long giveUpNanos)
      implements Entry {

    /** Returns the spent key, if any. */
    Optional<KeyUse> keyUse() {
      return Optional.ofNullable(outcome.keyUse());
    }

    /** Returns the spent key's pool row; also empty if the key was generated on the fly. */
    Optional<Long> keyId() {
      return keyUse().map(KeyUse::keyId);
    }

    /** Returns this end with nothing released and its key named separately. */
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
