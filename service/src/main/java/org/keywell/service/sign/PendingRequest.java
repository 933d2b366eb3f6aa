package org.keywell.service.sign;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.keywell.service.request.RequestTimes;
import org.keywell.service.request.SignOutcome;
import org.keywell.service.request.SignRequest;

/**
 * An accepted request on its way.
 *
 * @param answer completes with the outcome once that is durable; fails as {@link
 *     org.keywell.service.record.RecordWriter} does if it cannot be made so, or with {@link
 *     org.keywell.service.problem.ProblemException} if the request was refused after all
 */
public record PendingRequest(
    SignRequest request, RequestTimes times, CompletableFuture<SignOutcome> answer) {

  public PendingRequest(SignRequest request, RequestTimes times) {
    this(request, times, new CompletableFuture<>());
  }

  /** What is left of the request's time; zero or less once its deadline has passed. */
  Duration left() {
    return request.deadline().minus(times.sinceReceipt());
  }
}
