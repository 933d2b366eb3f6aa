package org.keywell.loadgen.drive;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;

/**
 * Callers that each wait for an answer before they ask again. This says nothing about the waits of
 * independent callers, but with enough callers the service always has a next request, so it shows
 * the rate that the service can do. Also warms up a service.
 */
public final class ClosedLoopDriver {
  private final Target target;
  private final LongSupplier nanoClock;
  private volatile boolean stopped;

  public ClosedLoopDriver(Target target, LongSupplier nanoClock) {
    this.target = target;
    this.nanoClock = nanoClock;
  }

  /** Ends the run early: no caller asks again. */
  public void stop() {
    stopped = true;
  }

  /**
   * Sends requests until all are answered.
   *
   * @param requests how many, numbered from 1
   * @param callers how many at a time
   * @return one sample for each request sent, in order of their numbers; each counts as due when it
   *     was sent
   */
  public List<Sample> run(int requests, int callers) throws InterruptedException {
    AtomicInteger last = new AtomicInteger();
    long startNanos = nanoClock.getAsLong();
    Callable<List<Sample>> caller =
        () -> {
          List<Sample> own = new ArrayList<>();
          for (int request = last.incrementAndGet();
              request <= requests && !stopped;
              request = last.incrementAndGet()) {
            long sentNanos = nanoClock.getAsLong() - startNanos;
            Outcome outcome = target.send(request);
            long answeredNanos = nanoClock.getAsLong() - startNanos;
            own.add(new Sample(request, sentNanos, sentNanos, answeredNanos, outcome));
          }
          return own;
        };
    List<Sample> samples = new ArrayList<>();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Callable<List<Sample>>> all = new ArrayList<>();
      for (int i = 0; i < callers; i++) {
        all.add(caller);
      }
      for (Future<List<Sample>> answers : threads.invokeAll(all)) {
        samples.addAll(answers.get());
      }
    } catch (ExecutionException e) {
      throw new IllegalStateException("a caller failed", e.getCause());
    }
    samples.sort(Comparator.comparingInt(Sample::request));
    return samples;
  }
}
