package org.keywell.keypool.hsm.timed;

import java.util.concurrent.TimeUnit;

/** Waits for a time of the clock that it belongs to. */
@FunctionalInterface
interface Sleeper {

  /** Waits for {@link System#nanoTime}. */
  Sleeper SYSTEM = nanos -> TimeUnit.NANOSECONDS.sleep(nanos - System.nanoTime());

  /** Returns at that time or a little earlier or later, at once if it has passed. */
  void sleepUntil(long nanos) throws InterruptedException;
}
