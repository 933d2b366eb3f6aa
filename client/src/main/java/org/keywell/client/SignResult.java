package org.keywell.client;

import java.time.Duration;

/** How a request ended, as the service told it: with a signature or with a stated problem. */
public sealed interface SignResult {

  /** The time from sending the request to having read the whole answer. */
  Duration roundTrip();

  record Signed(SignResponse response, CommitTimes commits, Duration roundTrip)
      implements SignResult {}

  record Refused(Problem problem, Duration roundTrip) implements SignResult {}
}
