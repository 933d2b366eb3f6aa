package org.keywell.keypool.worker;

import java.time.Duration;
import java.util.Collection;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A background thread that repeats a step until it is stopped. A failed step is retried after a
 * pause that doubles from one second to thirty. An {@link Outage} is logged when it starts and when
 * it ends. Any other exception is a defect: it is logged each time and does not end the thread
 * either, since nothing would restart it. An {@link Error} does.
 */
public final class Worker {

  /** One unit of work. */
  @FunctionalInterface
  public interface Step {
    /** Returns how long to pause before the next one. */
    Duration run() throws InterruptedException;
  }

  private static final Logger log = LoggerFactory.getLogger(Worker.class);

  /** The default limit on waiting for a thread's end. */
  public static final Duration LONGEST_JOIN = Duration.ofMinutes(1);

  static final Duration FIRST_PAUSE = Duration.ofSeconds(1);
  static final Duration LONGEST_PAUSE = Duration.ofSeconds(30);

  private final Thread thread;
  private final Step step;
  private final BooleanSupplier over;
  private final Semaphore wakes = new Semaphore(0);
  private volatile boolean stopping;
  private final Backoff backoff;

  public Worker(String threadName, Step step) {
    this(threadName, step, new Backoff(FIRST_PAUSE, LONGEST_PAUSE));
  }

  /**
   * @param longestPause after failures, instead of thirty seconds; at least one
   */
  public Worker(String threadName, Step step, Duration longestPause) {
    this(threadName, step, () -> true, longestPause);
  }

  /** As {@link #Worker(String, Step, BooleanSupplier, Duration)}, with pauses up to 30 seconds. */
  public Worker(String threadName, Step step, BooleanSupplier over) {
    this(threadName, step, over, LONGEST_PAUSE);
  }

  /**
   * @param over whether a step that succeeds ends an outage, asked then: it may have had nothing to
   *     do
   * @param longestPause after failures
   */
  public Worker(String threadName, Step step, BooleanSupplier over, Duration longestPause) {
    this(threadName, step, over, new Backoff(FIRST_PAUSE, longestPause));
  }

  Worker(String threadName, Step step, Backoff backoff) {
    this(threadName, step, () -> true, backoff);
  }

  private Worker(String threadName, Step step, BooleanSupplier over, Backoff backoff) {
    this.step = step;
    this.over = over;
    this.backoff = backoff;
    this.thread = Thread.ofPlatform().name(threadName).daemon().unstarted(this::loop);
  }

  public void start() {
    thread.start();
  }

  /** Asks the thread to end after its current step, and ends a pause; does not interrupt it. */
  public void stop() {
    stopping = true;
    wake();
  }

  /** Ends the current pause, or skips the next one: there is something to do. */
  public void wake() {
    wakes.release();
  }

  /**
   * Waits for the thread's end, up to the limit: a call to a hung device may never return. An
   * interrupt does not end the wait, and is kept.
   *
   * @return whether the thread has ended, or was never started
   */
  public boolean join(Duration limit) {
    long end = System.nanoTime() + limit.toNanos();
    boolean interrupted = false;
    boolean ended = thread.getState() == Thread.State.NEW;
    Duration left = limit;
    while (!ended) {
      try {
        ended = thread.join(left);
        break;
      } catch (InterruptedException e) {
        interrupted = true;
        left = Duration.ofNanos(end - System.nanoTime());
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    if (!ended) {
      log.warn("{} has not ended after {} ms", thread.getName(), limit.toMillis());
    }
    return ended;
  }

  /** Waits for all of them to end. Returns whether they have. */
  public static boolean join(Collection<Worker> workers, Duration limit) {
    long end = System.nanoTime() + limit.toNanos();
    boolean ended = true;
    for (Worker worker : workers) {
      ended &= worker.join(Duration.ofNanos(Math.max(0, end - System.nanoTime())));
    }
    return ended;
  }

  /** Whether the thread ended without being asked to, by an {@link Error} or an interrupt. */
  public boolean isBroken() {
    return thread.getState() == Thread.State.TERMINATED && !stopping;
  }

  private void loop() {
    try {
      Duration pause = Duration.ZERO;
      while (!stopping) {
        if (wakes.tryAcquire(pause.toNanos(), TimeUnit.NANOSECONDS)) {
          wakes.drainPermits();
        }
        if (!stopping) {
          pause = runOnce();
        }
      }
    } catch (InterruptedException e) {
      log.debug("{} was interrupted and ends", thread.getName());
    }
  }

  private Duration runOnce() throws InterruptedException {
    try {
      Duration pause = step.run();
      if (backoff.failing() && over.getAsBoolean()) {
        log.info("{} works again", thread.getName());
        backoff.succeeded();
      }
      return pause;
    } catch (RuntimeException e) {
      if (!(e instanceof Outage)) {
        log.error("{} has a defect, pauses and tries again", thread.getName(), e);
      } else if (!backoff.failing()) {
        log.warn("{} pauses and tries again: {}", thread.getName(), e.getMessage());
      }
      return backoff.afterFailure();
    }
  }
}
