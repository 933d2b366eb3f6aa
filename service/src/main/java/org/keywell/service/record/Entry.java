package org.keywell.service.record;

import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.keywell.keypool.store.StoredKey;
import org.keywell.service.problem.ProblemType;
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
   * @param durable true: the request is on record as received; false: its id was known before
   */
  record Intent(SignRequest request, RequestTimes times, CompletableFuture<Boolean> durable)
      implements Entry {}

  /**
   * A request that ended.
   *
   * @param ledger the claimed pool row that it accounts for, also where its record cannot name it
   * @param durable the outcome that is on record
   */
  record Outcome(
      SignRequest request,
      RequestTimes times,
      SignOutcome outcome,
      Optional<StoredKey> ledger,
      CompletableFuture<SignOutcome> durable)
      implements Entry {

    static Outcome of(
        SignRequest request,
        RequestTimes times,
        SignOutcome outcome,
        CompletableFuture<SignOutcome> durable) {
      return new Outcome(request, times, outcome, keyUse(outcome).map(KeyUse::stored), durable);
    }

    /** The key that was spent, if one was. */
    Optional<KeyUse> keyUse() {
      return keyUse(outcome);
    }

    private static Optional<KeyUse> keyUse(SignOutcome outcome) {
      return switch (outcome) {
        case SignOutcome.Signed signed -> Optional.of(signed.keyUse());
        case SignOutcome.Failed failed -> Optional.ofNullable(failed.keyUse());
        case SignOutcome.Expired expired -> Optional.empty();
      };
    }

    /** The same request's end, with nothing released and its pool row not named. */
    Outcome keyReused(KeyUse use) {
      return new Outcome(
          request,
          times,
          new SignOutcome.Failed(
              ProblemType.KEY_REUSED, "the signature is withheld", use.withoutRow()),
          ledger,
          durable);
    }
  }
}
