package org.keywell.client;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/** Clock, pauses and randomness, replaceable in tests. */
interface Time {

  /** Returns nanoseconds from an arbitrary origin; only differences are meaningful. */
  long nanos();

  void sleep(Duration pause) throws InterruptedException;

  /** Returns a number from 0 to less than 1, so that callers that failed together spread out. */
  double chance();

  /** The machine's clock. */
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
