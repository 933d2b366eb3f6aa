package org.keywell.service.sign;

import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.keywell.keypool.Worker;

/** The threads that sign; one by default, as in the thesis. */
public final class HandlerThreads {

  /** How often an idle thread looks whether it is to end. */
  private static final Duration LOOK_UP = Duration.ofMillis(200);

  private final List<Worker> workers;
  private final SignRequestQueue queue;

  public HandlerThreads(SignHandler handler, SignRequestQueue queue, int threads) {
    this.queue = queue;
    this.workers =
        IntStream.rangeClosed(1, threads)
            .mapToObj(i ->
                new Worker(
                    "keywell-sign-" + i,
                    () -> {
                      handler.handleNext(LOOK_UP);
                      return Duration.ZERO;
                    }))
            .toList();
  }

  public void start() {
    workers.forEach(Worker::start);
  }

  /** Whether a thread has ended although nobody asked it to. */
  public boolean isBroken() {
    return workers.stream().anyMatch(Worker::isBroken);
  }

  /**
   * Ends after the queue is empty: what was accepted is finished. To be called when nothing more is
   * admitted; lasts at most as long as the deadlines of those who wait.
   */
  public void finish() throws InterruptedException {
    queue.awaitEmpty();
    workers.forEach(Worker::stop);
    workers.forEach(Worker::join);
  }
}
