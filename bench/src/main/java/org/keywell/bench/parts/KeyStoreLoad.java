package org.keywell.bench.parts;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.keywell.loadgen.drive.Latencies;

/**
 * Requests to an external key store on kept connections.
 *
 * @param interval between the requests of all connections together; zero: each connection asks
 *     again as soon as it has its answer
 */
record KeyStoreLoad(int requests, Duration interval) {

  /** One request on a connection. */
  interface Request {
    void send(KeyStoreConnection connection) throws IOException;
  }

  /** Figures of a run. Latencies are from when a request was due, or else from when it was sent. */
  record Figures(double perSecond, double p50Millis, double p99Millis) {}

  /**
   * Sends them all.
   *
   * @throws IOException if one is refused
   */
  Figures run(List<KeyStoreConnection> connections, Request request)
      throws IOException, InterruptedException {
    AtomicInteger next = new AtomicInteger();
    Latencies latencies = new Latencies();
    long began = System.nanoTime();
    List<Callable<Integer>> callers = new ArrayList<>();
    for (KeyStoreConnection connection : connections) {
      callers.add(() -> {
        int sent = 0;
        for (int i = next.getAndIncrement(); i < requests; i = next.getAndIncrement()) {
          long due = due(began, i);
          request.send(connection);
          latencies.record(System.nanoTime() - due);
          sent++;
        }
        return sent;
      });
    }
    try (ExecutorService threads = Executors.newFixedThreadPool(callers.size())) {
      for (Future<Integer> caller : threads.invokeAll(callers)) {
        int _ = caller.get();
      }
    } catch (ExecutionException e) {
      throw new IOException(e.getCause());
    }
    double seconds = (System.nanoTime() - began) / 1e9;
    return new Figures(
        requests / seconds, latencies.percentileMillis(50), latencies.percentileMillis(99));
  }

  private long due(long began, int request) {
    if (interval.isZero()) {
      return System.nanoTime();
    }
    long due = began + request * interval.toNanos();
    for (long left = due - System.nanoTime(); left > 0; left = due - System.nanoTime()) {
      LockSupport.parkNanos(left);
    }
    return due;
  }
}
