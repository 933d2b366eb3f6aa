package org.keywell.jms;

import java.time.Duration;

/** How a request waits for room in the core. */
@FunctionalInterface
interface Waiting {

  /**
   * Pauses for this long, or less.
   *
   * @return whether the request may wait on: it has not expired, and the service is not stopping
   */
  boolean pause(Duration duration) throws InterruptedException;
}
