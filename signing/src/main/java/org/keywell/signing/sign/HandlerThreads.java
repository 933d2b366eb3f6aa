package org.keywell.signing.sign;

import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.keywell.keypool.worker.Worker;

/**
 * The sign threads; one by default, as in the thesis. Separate threads generate a key for a request
 * whose kind has none, and sign with it: a generation delays no request that has a key.
 */
public final class HandlerThreads {

  /** How often an idle thread checks whether to stop. */
  private static final Duration LOOK_UP = Duration.ofMillis(200);

  private final List<SignHandler> handlers;
  private final List<SignHandler> all;
  private final List<Worker> workers;
  private final SignRequestQueue queue;

  /**
   * @param handlers one per sign thread
   * @param makers one per thread that generates keys for single requests
   */
  public HandlerThreads(
      List<SignHandler> handlers, List<SignHandler> makers, SignRequestQueue queue) {
    this.handlers = List.copyOf(handlers);
    this.all = Stream.concat(handlers.stream(), makers.stream()).toList();
    this.queue = queue;
    this.workers =
        Stream.concat(workers("keywell-sign-", handlers), workers("keywell-make-", makers))
            .toList();
  }

  private static Stream<Worker> workers(String prefix, List<SignHandler> handlers) {
    return IntStream.range(0, handlers.size())
        .mapToObj(i ->
            new Worker(
                prefix + (i + 1),
                () -> {
                  handlers.get(i).handleNext(LOOK_UP);
                  return Duration.ZERO;
                }));
  }

  /** Returns those that sign with keys from the pool. */
  List<SignHandler> handlers() {
    return handlers;
  }

  /** Returns all that may have a request at work. */
  List<SignHandler> all() {
    return all;
  }

  public void start() {
    workers.forEach(Worker::start);
  }

  /** Whether a thread has ended unexpectedly. */
  public boolean isBroken() {
    return workers.stream().anyMatch(Worker::isBroken);
  }

  /**
   * Stops the threads once the queue is empty: accepted requests are finished. Call only when
   * nothing more is admitted.
   *
   * @param limit how long to wait for the queue, and then again for the threads
   * @return whether all of them have ended
   */
  public boolean finish(Duration limit) throws InterruptedException {
    queue.awaitEmpty(limit);
    workers.forEach(Worker::stop);
    return Worker.join(workers, limit);
  }
}
