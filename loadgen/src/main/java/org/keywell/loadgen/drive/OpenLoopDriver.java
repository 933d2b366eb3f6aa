package org.keywell.loadgen.drive;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.keywell.loadgen.schedule.Schedule;

/**
 * Sends every request when it is due, each on its own virtual thread. An unanswered request never
 * holds up a later one. Once the in-flight limit is reached, the next request is not sent and
 * counts as {@link Outcome.Unsent}: nothing is delayed silently.
 */
public final class OpenLoopDriver {
  private static final long LOOK_EVERY_MILLIS = 20;
  private static final Outcome UNSENT = new Outcome.Unsent();

  private final Target target;
  private final Pacer pacer;
  private final int inFlightLimit;
  private final Duration grace;
  private final LiveFigures live;
  private volatile boolean stopped;
  private volatile boolean started;
  private volatile long startNanos;

  /**
   * Creates a driver for one run.
   *
   * @param inFlightLimit how many requests may wait for their answers at the same time
   * @param grace how long to wait for answers after {@link #stop}
   */
  public OpenLoopDriver(
      Target target, Pacer pacer, int inFlightLimit, Duration grace, LiveFigures live) {
    this.target = target;
    this.pacer = pacer;
    this.inFlightLimit = inFlightLimit;
    this.grace = grace;
    this.live = live;
  }

  /** Ends the run early: sends nothing more, and waits for answers only for the grace period. */
  public void stop() {
    stopped = true;
  }

  /** Returns nanoseconds since the run's start; 0 before it. */
  public long elapsedNanos() {
    return started ? pacer.nanos() - startNanos : 0;
  }

  /**
   * Drives one run and returns when all of it has ended.
   *
   * @return one sample for each request that became due, in order; the whole schedule's unless the
   *     run was stopped
   */
  public List<Sample> run(Schedule schedule) throws InterruptedException {
    AtomicReferenceArray<Sample> samples = new AtomicReferenceArray<>(schedule.requests());
    Semaphore slots = new Semaphore(inFlightLimit);
    int due = 0;
    startNanos = pacer.nanos();
    started = true;
    ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    try {
      for (int request = 1; request <= schedule.requests(); request++) {
        long dueNanos = schedule.dueNanos(request);
        if (!pacer.await(startNanos + dueNanos, () -> stopped)) {
          break;
        }
        due = request;
        live.becameDue();
        if (slots.tryAcquire()) {
          int number = request;
          threads.execute(() -> send(number, dueNanos, samples, slots));
        } else {
          settle(samples, new Sample(request, dueNanos, Sample.NEVER, Sample.NEVER, UNSENT));
        }
      }
      awaitAnswers(threads);
    } finally {
      threads.shutdownNow();
    }
    return collect(schedule, samples, due);
  }

  private void send(
      int request, long dueNanos, AtomicReferenceArray<Sample> samples, Semaphore slots) {
    long sentNanos = elapsedNanos();
    try {
      Outcome outcome = outcomeOf(request);
      settle(samples, new Sample(request, dueNanos, sentNanos, elapsedNanos(), outcome));
    } catch (InterruptedException e) {
      Outcome abandoned = new Outcome.Abandoned();
      settle(samples, new Sample(request, dueNanos, sentNanos, Sample.NEVER, abandoned));
    } finally {
      slots.release();
    }
  }

  private Outcome outcomeOf(int request) throws InterruptedException {
    try {
      return target.send(request);
    } catch (RuntimeException e) {
      // A defect of the driver itself; the request has ended anyway, and shows in the report.
      return new Outcome.Failed("driver: " + e);
    }
  }

  /** Only the first end of a request counts: an answer after the run is of no use. */
  private void settle(AtomicReferenceArray<Sample> samples, Sample sample) {
    if (samples.compareAndSet(sample.request() - 1, null, sample)) {
      live.ended(sample);
    }
  }

  /** Every request has its own time limit, so this also ends without a stop. */
  private void awaitAnswers(ExecutorService threads) throws InterruptedException {
    threads.shutdown();
    long waitedMillis = 0;
    while (!threads.awaitTermination(LOOK_EVERY_MILLIS, TimeUnit.MILLISECONDS)) {
      waitedMillis = stopped ? waitedMillis + LOOK_EVERY_MILLIS : 0;
      if (waitedMillis >= grace.toMillis()) {
        threads.shutdownNow();
        // Interrupted calls return at once; collect() gives up any that do not.
        threads.awaitTermination(1, TimeUnit.SECONDS);
        return;
      }
    }
  }

  private List<Sample> collect(Schedule schedule, AtomicReferenceArray<Sample> samples, int due) {
    List<Sample> all = new ArrayList<>(due);
    for (int request = 1; request <= due; request++) {
      long dueNanos = schedule.dueNanos(request);
      settle(
          samples, new Sample(request, dueNanos, dueNanos, Sample.NEVER, new Outcome.Abandoned()));
      Sample sample = samples.get(request - 1);
      if (sample == null) {
        throw new IllegalStateException("request " + request + " has no end");
      }
      all.add(sample);
    }
    return all;
  }
}
