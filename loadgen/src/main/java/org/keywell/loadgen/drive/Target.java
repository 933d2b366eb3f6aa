package org.keywell.loadgen.drive;

/** What requests are sent to. Used by many threads at once. */
@FunctionalInterface
public interface Target {

  /** Sends the request with the given number and waits for its end. */
  Outcome send(int request) throws InterruptedException;
}
