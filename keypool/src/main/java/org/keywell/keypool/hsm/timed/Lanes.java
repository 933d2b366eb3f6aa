package org.keywell.keypool.hsm.timed;

import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.keywell.keypool.hsm.KeyHandle;

/**
 * The operations that a device works on in parallel, one per lane. Callers are served in order of
 * arrival, by the lane that is free first. Thread-safe.
 *
 * <p>While callers wait, a slot starts when the previous one ends, however late the waiting thread
 * wakes up: the lag of a busy machine does not add up. An operation that overruns its slot holds
 * its lane until it is done, and the next caller waits for that lane.
 */
final class Lanes {

  /** The slot that a lane last served; its end moves if the operation overruns it. */
  private record Slot(@Nullable KeyHandle signs, long startNanos, long endNanos) {}

  private static final class Lane {
    private final Semaphore idle = new Semaphore(1);
    // INVARIANT: written only by the holder of the permit.
    private volatile Slot slot;

    Lane(long nowNanos) {
      slot = new Slot(null, nowNanos, nowNanos);
    }
  }

  private final ElapsedTime time;
  private final Lane[] lanes;
  private final ReentrantLock turn = new ReentrantLock(true);

  Lanes(int count, ElapsedTime time) {
    long now = time.nowNanos();
    this.time = time;
    this.lanes = IntStream.range(0, count).mapToObj(_ -> new Lane(now)).toArray(Lane[]::new);
  }

  /**
   * Runs an operation in a slot of that length and returns at the slot's end, even if the operation
   * throws.
   */
  <T> T run(long slotNanos, Supplier<T> operation) {
    return run(null, slotNanos, slotNanos, operation);
  }

  /**
   * Runs the first part of a slot's work and returns when that part of the slot is over. The lane
   * stays reserved for the rest.
   */
  <T> T runFirstPart(KeyHandle key, long partNanos, long slotNanos, Supplier<T> operation) {
    return run(key, partNanos, slotNanos, operation);
  }

  private <T> T run(
      @Nullable KeyHandle key, long callNanos, long slotNanos, Supplier<T> operation) {
    Lane lane = awaitSlot(key, slotNanos);
    Slot slot = lane.slot;
    try {
      return operation.get();
    } finally {
      lane.slot =
          new Slot(key, slot.startNanos(), ElapsedTime.later(slot.endNanos(), time.nowNanos()));
      lane.idle.release();
      time.sleepUntil(slot.startNanos() + callNanos);
    }
  }

  /** Returns a lane at the start of the caller's slot, with its permit. */
  private Lane awaitSlot(@Nullable KeyHandle key, long slotNanos) {
    long arrival = time.nowNanos();
    turn.lock();
    try {
      Lane lane = earliest();
      time.sleepUntil(lane.slot.endNanos());
      lane.idle.acquireUninterruptibly();
      long start = ElapsedTime.later(arrival, lane.slot.endNanos());
      lane.slot = new Slot(key, start, start + slotNanos);
      return lane;
    } finally {
      turn.unlock();
    }
  }

  private Lane earliest() {
    Lane earliest = lanes[0];
    for (Lane lane : lanes) {
      if (lane.slot.endNanos() - earliest.slot.endNanos() < 0) {
        earliest = lane;
      }
    }
    return earliest;
  }

  /**
   * Waits for the end of the slot in which the key signed. Returns at once if it is over: a lane
   * remembers only its last slot, so keys that nobody destroys leave nothing behind.
   */
  void awaitEndOfSigning(KeyHandle key) {
    for (Lane lane : lanes) {
      Slot slot = lane.slot;
      if (key.equals(slot.signs())) {
        time.sleepUntil(slot.endNanos());
      }
    }
  }
}
