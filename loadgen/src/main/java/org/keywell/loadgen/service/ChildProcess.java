package org.keywell.loadgen.service;

import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * A process that is shut down in order when it is closed, and by force if it does not end in time,
 * or if this process ends without closing it.
 */
final class ChildProcess implements AutoCloseable {
  /** Work that stops with this process, such as a report, may still need the child. */
  private static final Duration USED_AT_THE_END = Duration.ofMinutes(1);

  private static final Duration QUIETLY = Duration.ofSeconds(5);

  private final Process process;
  private final String work;
  private final Duration patience;
  private final PrintWriter err;
  private final CountDownLatch closed = new CountDownLatch(1);
  private final Thread lastResort = new Thread(this::killUnlessClosed, "last-resort");

  private ChildProcess(Process process, String work, Duration patience, PrintWriter err) {
    this.process = process;
    this.work = work;
    this.patience = patience;
    this.err = err;
  }

  /**
   * Starts it.
   *
   * @param work what it may have to finish before it ends, for people who wait for that
   * @param patience how long it may take to end
   */
  static ChildProcess start(ProcessBuilder program, String work, Duration patience, PrintWriter err)
      throws IOException {
    ChildProcess child = new ChildProcess(program.start(), work, patience, err);
    try {
      Runtime.getRuntime().addShutdownHook(child.lastResort);
    } catch (IllegalStateException e) {
      child.process.destroyForcibly();
      throw new IOException("interrupted", e);
    }
    return child;
  }

  private void killUnlessClosed() {
    try {
      if (!closed.await(patience.plus(USED_AT_THE_END).toMillis(), TimeUnit.MILLISECONDS)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }

  boolean isAlive() {
    return process.isAlive();
  }

  long pid() {
    return process.pid();
  }

  /** Returns the processes that it has started, and those have. */
  List<ProcessHandle> descendants() {
    return process.descendants().toList();
  }

  /** Waits for its end, however long that takes; returns its exit code. */
  int awaitEnd() throws InterruptedException {
    return process.waitFor();
  }

  /** Asks it to end and waits until it has. Cannot be interrupted. */
  @Override
  public void close() {
    process.destroy();
    Duration quietly = QUIETLY.compareTo(patience) < 0 ? QUIETLY : patience;
    boolean interrupted = endsWithin(quietly);
    if (process.isAlive()) {
      tell("process %d finishes %s".formatted(process.pid(), work));
      interrupted |= endsWithin(patience.minus(quietly));
    }
    if (process.isAlive()) {
      tell(
          "process %d did not end within %d s; it is killed"
              .formatted(process.pid(), patience.toSeconds()));
      process.destroyForcibly();
    }
    closed.countDown();
    forgetLastResort();
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** Waits for its end; returns whether it was interrupted. */
  private boolean endsWithin(Duration limit) {
    long until = System.nanoTime() + limit.toNanos();
    boolean interrupted = false;
    while (true) {
      try {
        var _ = process.waitFor(until - System.nanoTime(), TimeUnit.NANOSECONDS);
        return interrupted;
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
  }

  private void forgetLastResort() {
    try {
      Runtime.getRuntime().removeShutdownHook(lastResort);
    } catch (IllegalStateException e) {
      // This process is ending, and the hook knows that it is not needed.
    }
  }

  private void tell(String line) {
    err.println("keywell: " + line);
    err.flush();
  }
}
