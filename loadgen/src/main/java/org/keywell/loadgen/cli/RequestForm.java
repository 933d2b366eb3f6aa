package org.keywell.loadgen.cli;

import java.time.Duration;
import org.keywell.client.KeywellClient;
import org.keywell.loadgen.drive.NumberedContent;
import org.keywell.loadgen.drive.ServiceTarget;

/** What each request of a run says of itself. */
record RequestForm(String keySpec, Duration deadline, String testId) {

  /** An answer that comes after its deadline is still on its way for a moment. */
  Duration timeout() {
    return deadline.plusSeconds(5);
  }

  /** The same requests as a part of the experiment, with a test id that says which. */
  RequestForm part(String name) {
    return new RequestForm(keySpec, deadline, testId + ":" + name);
  }

  ServiceTarget to(KeywellClient client, NumberedContent content) {
    return new ServiceTarget(client, content, keySpec, deadline.toMillis(), testId);
  }
}
