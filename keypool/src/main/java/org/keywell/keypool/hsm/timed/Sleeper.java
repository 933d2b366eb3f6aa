package org.keywell.keypool.hsm.timed;

import java.util.concurrent.TimeUnit;

/** Waits for a time of its clock. */
@FunctionalInterface
interface Sleeper {

  /** Waits by {@link System#nanoTime}. */
  Sleeper SYSTEM = nanos -> TimeUnit.NANOSECONDS.sleep(nanos - System.nanoTime());

  /** Returns at about that time, slightly early or late; at once if it has passed. */
  void sleepUntil(long nanos) throws InterruptedException;
}
