package org.keywell.loadgen.cli;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Lets work that Ctrl-C or SIGTERM ends still write its report: the first signal stops the work,
 * and the process ends when the report is written, or after some time.
 */
public final class Interruption implements AutoCloseable {
  private static final Duration USUALLY = Duration.ofMinutes(1);

  private final Duration longest;
  private final CountDownLatch written = new CountDownLatch(1);
  private final Thread hook = new Thread(this::act, "interruption");
  private Runnable stop = () -> {};
  private boolean come;

  public Interruption() {
    this(USUALLY);
  }

  /**
   * For work that has more to do than write its report.
   *
   * @param more how long that may take
   */
  public static Interruption of(Duration more) {
    return new Interruption(USUALLY.plus(more));
  }

  private Interruption(Duration longest) {
    this.longest = longest;
    Runtime.getRuntime().addShutdownHook(hook);
  }

  private void act() {
    come();
    try {
      if (!written.await(longest.toSeconds(), TimeUnit.SECONDS)) {
        System.err.println("keywell: the report is not complete");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Stops the current work, as a signal does. */
  public synchronized void come() {
    come = true;
    stop.run();
  }

  /** Sets how to stop the work from now on; stops it at once if a signal has already come. */
  public synchronized void stops(Runnable action) {
    stop = action;
    if (come) {
      action.run();
    }
  }

  public synchronized boolean hasCome() {
    return come;
  }

  /** Lets the process end from here on. */
  @Override
  public void close() {
    written.countDown();
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // The process is already ending, and the hook has done its part.
    }
  }
}
