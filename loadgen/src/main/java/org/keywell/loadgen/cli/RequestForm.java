package org.keywell.loadgen.cli;

import java.time.Duration;
import org.keywell.client.KeywellClient;
import org.keywell.loadgen.drive.NumberedContent;
import org.keywell.loadgen.drive.ServiceTarget;

/** What each request of a run states. */
record RequestForm(String keySpec, Duration deadline, String testId) {

  /** Allows for an answer that is in transit for a moment after its deadline. */
  Duration timeout() {
    return deadline.plusSeconds(5);
  }

  /** Returns the same requests for a part of the experiment, which the test id names. */
  RequestForm part(String name) {
    return new RequestForm(keySpec, deadline, testId + ":" + name);
  }

  ServiceTarget to(KeywellClient client, NumberedContent content) {
    return new ServiceTarget(client, content, keySpec, deadline.toMillis(), testId);
  }
}
