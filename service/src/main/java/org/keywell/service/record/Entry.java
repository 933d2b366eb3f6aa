package org.keywell.service.record;

import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.keywell.keypool.store.StoredKey;
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
   * @param ledger the pool row whose key it was given, to be closed on the ledger of claims; null
   *     if there is none
   * @param durable the outcome that is on record
   */
  record Outcome(
      SignRequest request,
      RequestTimes times,
      SignOutcome outcome,
      @Nullable StoredKey ledger,
      CompletableFuture<SignOutcome> durable)
      implements Entry {}
}
