package org.keywell.service.sign;

import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.keywell.service.request.RequestTimes;
import org.keywell.service.request.SignOutcome;
import org.keywell.service.request.SignRequest;

/**
 * An accepted request on its way.
 *
 * @param answer completes with the outcome once that is durable; fails with {@link
 *     org.keywell.service.record.RecordException} if it cannot be made so, or with {@link
 *     org.keywell.service.problem.ProblemException} if the request was refused after all
 */
public record PendingRequest(
    SignRequest request, RequestTimes times, CompletableFuture<SignOutcome> answer) {

  public PendingRequest(SignRequest request, RequestTimes times) {
    this(request, times, new CompletableFuture<>());
  }

  /** Completes the answer with what a stage before it came to. */
  void complete(@Nullable SignOutcome outcome, @Nullable Throwable failure) {
    if (outcome != null) {
      answer.complete(outcome);
    } else if (failure != null) {
      answer.completeExceptionally(failure);
    }
  }
}
