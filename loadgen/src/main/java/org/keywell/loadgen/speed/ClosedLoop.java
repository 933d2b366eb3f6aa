package org.keywell.loadgen.speed;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** Clients that each wait for an answer before they ask again. Used once. */
final class ClosedLoop {
  private static final long CONNECT_SECONDS = 60;

  private final Servers servers;
  private final SpeedTask task;
  private final boolean fresh;
  private final Duration time;
  private final AtomicLong left;
  private volatile long began;
  private volatile boolean failed;

  /**
   * @param fresh whether each operation has a new connection; otherwise each client has one, made
   *     before the start
   * @param most how many operations all clients together may perform
   */
  ClosedLoop(Servers servers, SpeedTask task, boolean fresh, Duration time, long most) {
    this.servers = servers;
    this.task = task;
    this.fresh = fresh;
    this.time = time;
    this.left = new AtomicLong(most);
  }

  /**
   * Runs all clients to their end.
   *
   * @throws IOException if any operation fails
   */
  SpeedTrial run(int clients) throws IOException, InterruptedException {
    CyclicBarrier start = new CyclicBarrier(clients, () -> began = System.nanoTime());
    List<Callable<Long>> all = new ArrayList<>();
    for (int i = 0; i < clients; i++) {
      all.add(() -> client(start));
    }
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<Long>> ended = threads.invokeAll(all);
      double seconds = (System.nanoTime() - began) / 1e9;
      requireSuccess(ended);
      long operations = ended.stream().mapToLong(Future::resultNow).sum();
      if (operations == 0) {
        throw new IOException("no operation was performed");
      }
      return new SpeedTrial(operations, seconds, left.get() < 0);
    }
  }

  /** One client's failure ends the others, too. */
  private static void requireSuccess(List<Future<Long>> ended) throws IOException {
    List<Throwable> failures =
        ended.stream()
            .filter(one -> one.state() == Future.State.FAILED)
            .map(Future::exceptionNow)
            .sorted(Comparator.comparing(failure -> !(failure instanceof IOException)))
            .toList();
    if (!failures.isEmpty()) {
      throw new IOException(String.valueOf(failures.getFirst().getMessage()), failures.getFirst());
    }
  }

  private long client(CyclicBarrier start)
      throws IOException, InterruptedException, BrokenBarrierException, TimeoutException {
    try (@Nullable KmipClient kept = fresh ? null : servers.connect()) {
      int _ = start.await(CONNECT_SECONDS, TimeUnit.SECONDS);
      long done = 0;
      while (!failed && System.nanoTime() - began < time.toNanos() && left.getAndDecrement() > 0) {
        if (kept == null) {
          try (KmipClient one = servers.connect()) {
            task.perform(one);
          }
        } else {
          task.perform(kept);
        }
        done++;
      }
      return done;
    } catch (IOException e) {
      failed = true;
      start.reset();
      throw e;
    }
  }
}
