package org.keywell.client;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/** The clock, and what waits for it. */
interface Time {

  /** Nanoseconds from a moment of its own; only differences say anything. */
  long nanos();

  void sleep(Duration pause) throws InterruptedException;

  /** From 0 to less than 1: callers that failed together shall not come back together. */
  double chance();

  /** The machine's. */
  Time SYSTEM =
      new Time() {
        @Override
        public long nanos() {
          return System.nanoTime();
        }

        @Override
        public void sleep(Duration pause) throws InterruptedException {
          Thread.sleep(pause.toMillis(), pause.toNanosPart() % 1_000_000);
        }

        @Override
        public double chance() {
          return ThreadLocalRandom.current().nextDouble();
        }
      };
}
