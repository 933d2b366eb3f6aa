package org.keywell.loadgen.cli;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Lets a run that is ended by Ctrl-C or SIGTERM still write its report: the first signal stops the
 * work, and the process ends when the report is written, or after a minute.
 */
final class Interruption implements AutoCloseable {
  private static final long LONGEST_SECONDS = 60;

  private final CountDownLatch written = new CountDownLatch(1);
  private final Thread hook;

  /**
   * @param stop ends the work soon; called by another thread
   */
  Interruption(Runnable stop) {
    hook =
        new Thread(
            () -> {
              stop.run();
              awaitReport();
            },
            "interruption");
    Runtime.getRuntime().addShutdownHook(hook);
  }

  private void awaitReport() {
    try {
      if (!written.await(LONGEST_SECONDS, TimeUnit.SECONDS)) {
        System.err.println("keywell: the report is not complete");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** From here on, the process may end. */
  @Override
  public void close() {
    written.countDown();
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // The process is ending already, and the hook has done its part.
    }
  }
}
