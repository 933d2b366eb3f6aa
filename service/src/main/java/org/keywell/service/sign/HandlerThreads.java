package org.keywell.service.sign;

import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.keywell.keypool.Worker;

/**
 * The threads that sign; one by default, as in the thesis. Beside them those that make a key for a
 * request whose kind has none, and sign with it: a generation holds up nobody who has a key.
 */
public final class HandlerThreads {

  /** How often an idle thread looks whether it is to end. */
  private static final Duration LOOK_UP = Duration.ofMillis(200);

  private final List<SignHandler> handlers;
  private final List<SignHandler> all;
  private final List<Worker> workers;
  private final SignRequestQueue queue;

  /**
   * @param handlers one for each thread that signs
   * @param makers one for each thread that makes keys for single requests
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

  /** Those that sign with keys from the pool. */
  List<SignHandler> handlers() {
    return handlers;
  }

  /** All that may have a request at work. */
  List<SignHandler> all() {
    return all;
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
