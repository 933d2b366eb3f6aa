package org.keywell.keypool;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.keywell.keypool.hsm.HsmException;
import org.keywell.keypool.store.StoreException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One background thread that repeats a step until it is stopped. A step that fails because of the
 * device or the database is logged once and tried again after a pause that doubles from one second
 * to thirty; any other failure is a defect and ends the thread through its uncaught-exception
 * handler.
 */
public final class Worker {

  /** One unit of work. */
  @FunctionalInterface
  public interface Step {
    /** Returns how long to pause before the next one. */
    Duration run() throws InterruptedException;
  }

  private static final Logger log = LoggerFactory.getLogger(Worker.class);
  private static final Duration FIRST_PAUSE = Duration.ofSeconds(1);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(30);

  private final Thread thread;
  private final Step step;
  private final CountDownLatch stopping = new CountDownLatch(1);
  private @Nullable Duration failurePause;

  public Worker(String threadName, Step step) {
    this.step = step;
    this.thread = Thread.ofPlatform().name(threadName).daemon().unstarted(this::loop);
  }

  public void start() {
    thread.start();
  }

  /** Asks the thread to end after its current step; does not interrupt it. */
  public void stop() {
    stopping.countDown();
  }

  /** Waits for the thread's end. Returns at once if it was never started. */
  public void join() {
    boolean interrupted = false;
    while (true) {
      try {
        thread.join();
        break;
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private void loop() {
    try {
      Duration pause = Duration.ZERO;
      while (!stopping.await(pause.toNanos(), TimeUnit.NANOSECONDS)) {
        pause = runOnce();
      }
    } catch (InterruptedException e) {
      log.debug("{} was interrupted and ends", thread.getName());
    }
  }

  private Duration runOnce() throws InterruptedException {
    try {
      Duration pause = step.run();
      if (failurePause != null) {
        log.info("{} works again", thread.getName());
        failurePause = null;
      }
      return pause;
    } catch (HsmException | StoreException e) {
      return pauseAfter(e);
    }
  }

  private Duration pauseAfter(RuntimeException failure) {
    if (failurePause == null) {
      log.warn("{} pauses and tries again: {}", thread.getName(), failure.getMessage());
      failurePause = FIRST_PAUSE;
    } else {
      Duration doubled = failurePause.multipliedBy(2);
      failurePause = doubled.compareTo(LONGEST_PAUSE) < 0 ? doubled : LONGEST_PAUSE;
    }
    return failurePause;
  }
}
