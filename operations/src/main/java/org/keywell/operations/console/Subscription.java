package org.keywell.operations.console;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * One reader of events. Holds the newest event not taken yet: a slow reader misses events and
 * delays nobody. Thread-safe; one thread takes.
 */
final class Subscription implements AutoCloseable {

  private final Subscribers subscribers;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private byte @Nullable [] newest;
  private boolean ended;

  Subscription(Subscribers subscribers) {
    this.subscribers = subscribers;
  }

  /** Offers an event, replacing one not taken yet. */
  void offer(byte[] event) {
    lock.lock();
    try {
      newest = event;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Waits for and takes the newest event. Empty: none came in time, or the stream has ended. */
  Optional<byte[]> take(Duration maxWait) throws InterruptedException {
    long nanos = maxWait.toNanos();
    lock.lockInterruptibly();
    try {
      while (newest == null && !ended && nanos > 0) {
        nanos = changed.awaitNanos(nanos);
      }
      byte[] event = newest;
      newest = null;
      return ended || event == null ? Optional.empty() : Optional.of(event);
    } finally {
      lock.unlock();
    }
  }

  boolean isOpen() {
    lock.lock();
    try {
      return !ended;
    } finally {
      lock.unlock();
    }
  }

  /** Ends the stream and wakes a waiting reader. */
  void end() {
    lock.lock();
    try {
      ended = true;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Also frees its place among the subscribers. */
  @Override
  public void close() {
    end();
    subscribers.remove(this);
  }
}
