package org.keywell.testkit;

import java.time.Duration;
import java.util.concurrent.Callable;

/** Waits for what happens by itself soon. */
public final class Await {

  private static final Duration LIMIT = Duration.ofSeconds(60);

  private Await() {}

  /** Returns once the condition holds; fails if it does not within a minute. */
  public static void until(String what, Callable<Boolean> condition) throws InterruptedException {
    long start = System.nanoTime();
    while (!holds(condition)) {
      if (System.nanoTime() - start > LIMIT.toNanos()) {
        throw new AssertionError("not within " + LIMIT.toSeconds() + " s: " + what);
      }
      Thread.sleep(20);
    }
  }

  private static boolean holds(Callable<Boolean> condition) {
    try {
      return condition.call();
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }
}
