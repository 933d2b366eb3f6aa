package org.keywell.client;

import java.time.Duration;

/** How a request ended, as the service told it: with a signature or with a stated problem. */
public sealed interface SignResult {

  /** The time from sending the request to having read the whole answer. */
  Duration roundTrip();

  /**
   * The answer of a request that was signed.
   *
   * @throws ServiceProblemException if it was refused, or failed
   */
  SignResponse orThrow() throws ServiceProblemException;

  /** All digests are signed. */
  record Signed(SignResponse response, CommitTimes commits, Duration roundTrip)
      implements SignResult {

    @Override
    public SignResponse orThrow() {
      return response;
    }
  }

  /** Nothing is signed. */
  record Refused(Problem problem, Duration roundTrip) implements SignResult {

    @Override
    public SignResponse orThrow() throws ServiceProblemException {
      throw new ServiceProblemException(problem);
    }
  }
}
