package org.keywell.service.sign;

import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.keywell.keypool.Worker;

/** The threads that sign; one by default, as in the thesis. */
public final class HandlerThreads {

  /** How often an idle thread looks whether it is to end. */
  private static final Duration LOOK_UP = Duration.ofMillis(200);

  private final List<SignHandler> handlers;
  private final List<Worker> workers;
  private final SignRequestQueue queue;

  /**
   * @param handlers one for each thread
   */
  public HandlerThreads(List<SignHandler> handlers, SignRequestQueue queue) {
    this.handlers = List.copyOf(handlers);
    this.queue = queue;
    this.workers =
        IntStream.range(0, handlers.size())
            .mapToObj(i ->
                new Worker(
                    "keywell-sign-" + (i + 1),
                    () -> {
                      handlers.get(i).handleNext(LOOK_UP);
                      return Duration.ZERO;
                    }))
            .toList();
  }

  List<SignHandler> handlers() {
    return handlers;
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
   * admitted.
   *
   * @param limit how long to wait for the queue, and then once more for the threads
   * @return whether all of them have ended
   */
  public boolean finish(Duration limit) throws InterruptedException {
    queue.awaitEmpty(limit);
    workers.forEach(Worker::stop);
    return Worker.join(workers, limit);
  }
}
