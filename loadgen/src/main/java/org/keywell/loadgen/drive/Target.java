package org.keywell.loadgen.drive;

/** The recipient of requests. Used by many threads at once. */
@FunctionalInterface
public interface Target {

  /** Sends the request with the given number and waits for its end. */
  Outcome send(int request) throws InterruptedException;
}
