package org.keywell.client;

import java.time.Duration;

/** How a request ended, as reported by the service: with a signature or a problem. */
public sealed interface SignResult {

  /** Returns the time from sending the request until the whole answer was read. */
  Duration roundTrip();

  /**
   * Returns the answer if the request was signed.
   *
   * @throws ServiceProblemException if it was refused or failed
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
