package org.keywell.operations.console;

import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.keywell.rest.problem.Problem;
import org.keywell.rest.problem.ProblemException;
import org.keywell.rest.problem.ProblemType;

/** The console's subscribers, up to a limit. Thread-safe. */
final class Subscribers {

  /** Pages that may be open at once. */
  static final int LIMIT = 32;

  private static final Duration TRY_AGAIN = Duration.ofSeconds(10);

  private final Set<Subscription> all = new HashSet<>();
  private boolean closed;

  /**
   * Takes a place.
   *
   * @throws ProblemException if none is free, or the service stops
   */
  synchronized Subscription subscribe() {
    if (closed) {
      throw new ProblemException(
          new Problem(ProblemType.SHUTTING_DOWN, "the console is closed", TRY_AGAIN));
    }
    if (all.size() >= LIMIT) {
      throw new ProblemException(
          new Problem(
              ProblemType.CONSOLE_FULL,
              LIMIT + " consoles are open, which is the limit",
              TRY_AGAIN));
    }
    Subscription subscription = new Subscription(this);
    all.add(subscription);
    return subscription;
  }

  synchronized boolean any() {
    return !all.isEmpty();
  }

  synchronized int count() {
    return all.size();
  }

  /** Offers an event to each; never waits for one of them. */
  void offer(byte[] event) {
    snapshot().forEach(subscription -> subscription.offer(event));
  }

  /** Ends all streams and refuses new subscribers. */
  void close() {
    synchronized (this) {
      closed = true;
    }
    snapshot().forEach(Subscription::end);
  }

  synchronized void remove(Subscription subscription) {
    all.remove(subscription);
  }

  private synchronized List<Subscription> snapshot() {
    return List.copyOf(all);
  }
}
