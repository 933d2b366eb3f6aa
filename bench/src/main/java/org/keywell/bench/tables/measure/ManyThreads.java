package org.keywell.bench.tables.measure;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.keywell.bench.tables.figure.Figure;
import org.keywell.bench.tables.figure.Measurement.Timed;
import org.keywell.bench.tables.figure.Quantity;
import org.keywell.bench.tables.figure.ThesisRow;
import org.keywell.keypool.hsm.Hsm;

/**
 * Table 2-10: whole signings by several threads at the same time. Each thread takes the next key as
 * soon as its last request is done, so all are always busy.
 */
final class ManyThreads implements Experiment {

  /** When one request started and ended. */
  private record Request(long beganNanos, long endedNanos) {}

  private final KeyStock stock;
  private final WholeSigning signing;

  ManyThreads(KeyStock stock, WholeSigning signing) {
    this.stock = stock;
    this.signing = signing;
  }

  @Override
  public List<Timed> run(ThesisRow row, Hsm hsm, int count, Meter meter)
      throws InterruptedException {
    List<LoadedKey> keys = stock.load(count);
    List<Request> requests = new ArrayList<>();
    AtomicInteger next = new AtomicInteger();
    CyclicBarrier start = new CyclicBarrier(row.threads());
    try (ExecutorService signers = Executors.newFixedThreadPool(row.threads())) {
      List<Future<List<Request>>> running = new ArrayList<>();
      for (int i = 0; i < row.threads(); i++) {
        running.add(signers.submit(() -> sign(hsm, keys, next, start, meter)));
      }
      for (Future<List<Request>> signer : running) {
        requests.addAll(Outcomes.of(signer));
      }
    }
    stock.settle(keys);
    return figures(requests);
  }

  private List<Request> sign(
      Hsm hsm, List<LoadedKey> keys, AtomicInteger next, CyclicBarrier start, Meter meter)
      throws InterruptedException, BrokenBarrierException {
    start.await();
    List<Request> requests = new ArrayList<>();
    for (int i = next.getAndIncrement();
        i < keys.size() && !meter.stopped();
        i = next.getAndIncrement()) {
      long began = System.nanoTime();
      long took = signing.run(hsm, keys.get(i));
      requests.add(new Request(began, began + took));
      meter.advance();
    }
    return requests;
  }

  private static List<Timed> figures(List<Request> requests) {
    if (requests.isEmpty()) {
      return List.of();
    }
    long first = requests.stream().mapToLong(Request::beganNanos).min().orElseThrow();
    long wall =
        requests.stream().mapToLong(request -> request.endedNanos() - first).max().orElseThrow();
    long[] singles = requests.stream().mapToLong(r -> r.endedNanos() - r.beganNanos()).toArray();
    return List.of(
        new Timed(Quantity.THROUGHPUT, Figure.ofTogether(requests.size(), wall)),
        new Timed(Quantity.SINGLE, Figure.ofSingles(singles)));
  }
}
