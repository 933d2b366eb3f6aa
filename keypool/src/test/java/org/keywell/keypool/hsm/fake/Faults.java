package org.keywell.keypool.hsm.fake;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongPredicate;
import org.keywell.keypool.hsm.HsmException;
import org.keywell.keypool.hsm.HsmException.Reason;
import org.keywell.keypool.hsm.HsmHealth;

/** The switches of a {@link FakeHsm}. Thread-safe; each switch counts from the next call on. */
public final class Faults {
  private static final long MAX_WAIT_SECONDS = 20;

  private static final class State {
    private long calls;
    private Reason reason = Reason.FAILED;
    private int successesLeft;
    private int failuresLeft;
    private boolean hangs;
    private int hanging;
  }

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final Map<Operation, State> states = new EnumMap<>(Operation.class);
  private long destroyReturns;
  private Reason answerToDamage = Reason.WRAPPED_KEY_INVALID;
  private volatile LongPredicate garbled = call -> false;
  private volatile boolean spoilsWraps;
  private volatile boolean hung;
  private volatile Optional<HsmHealth.Failure> down = Optional.empty();

  Faults() {
    for (Operation operation : Operation.values()) {
      states.put(operation, new State());
    }
  }

  /** Makes the device count as down, whatever it does, until {@link #up} or its proof. */
  public void down(String message) {
    long now = System.nanoTime();
    down = Optional.of(new HsmHealth.Failure(message, 5, now, now));
  }

  /** Ends {@link #down(String)}. */
  public void up() {
    down = Optional.empty();
  }

  /** Has it count as hanging in a call, or no more. */
  public void hung(boolean now) {
    hung = now;
  }

  boolean isHung() {
    return hung;
  }

  Optional<HsmHealth.Failure> down() {
    return down;
  }

  /** Makes every call fail until {@link #heal}. */
  public void fail(Operation operation, Reason reason) {
    failNext(operation, reason, Integer.MAX_VALUE);
  }

  /** Makes the next calls fail, as many as {@code times} says. */
  public void failNext(Operation operation, Reason reason, int times) {
    lock.lock();
    try {
      State state = state(operation);
      state.reason = reason;
      state.successesLeft = 0;
      state.failuresLeft = times;
    } finally {
      lock.unlock();
    }
  }

  /** Makes one call fail, after as many that succeed as {@code successes} says. */
  public void failAfter(int successes, Operation operation, Reason reason) {
    failAfter(successes, operation, reason, 1);
  }

  /** Makes {@code times} calls fail, after as many that succeed as {@code successes} says. */
  public void failAfter(int successes, Operation operation, Reason reason, int times) {
    lock.lock();
    try {
      failNext(operation, reason, times);
      state(operation).successesLeft = successes;
    } finally {
      lock.unlock();
    }
  }

  /** Makes every call block, before it does anything, until {@link #heal}. */
  public void hang(Operation operation) {
    lock.lock();
    try {
      state(operation).hangs = true;
    } finally {
      lock.unlock();
    }
  }

  /** Waits until as many calls hang as {@code count} says; fails the test if they do not come. */
  public void awaitHanging(Operation operation, int count) {
    lock.lock();
    try {
      long left = TimeUnit.SECONDS.toNanos(MAX_WAIT_SECONDS);
      while (state(operation).hanging < count && left > 0) {
        left = changed.awaitNanos(left);
      }
      assertThat(state(operation).hanging).as("hanging calls of " + operation).isEqualTo(count);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    } finally {
      lock.unlock();
    }
  }

  /** Ends failures and hanging of one operation; calls that hang go on. */
  public void heal(Operation operation) {
    lock.lock();
    try {
      state(operation).failuresLeft = 0;
      state(operation).hangs = false;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Ends all faults. */
  public void healAll() {
    for (Operation operation : Operation.values()) {
      heal(operation);
    }
    destroyReturns(0);
    garble(call -> false);
    spoilWraps(false);
  }

  /** Makes what is wrapped garbage, returned as good; or no more. */
  public void spoilWraps(boolean now) {
    spoilsWraps = now;
  }

  boolean spoilsWraps() {
    return spoilsWraps;
  }

  /**
   * Makes signatures garbage, returned as good.
   *
   * @param ofCalls which, by the number of the call, the first being 1
   */
  public void garble(LongPredicate ofCalls) {
    garbled = ofCalls;
  }

  boolean garbles(long call) {
    return garbled.test(call);
  }

  /** Sets what destroying returns from now on. The key stays alive unless it is 0. */
  public void destroyReturns(long returnValue) {
    lock.lock();
    try {
      destroyReturns = returnValue;
    } finally {
      lock.unlock();
    }
  }

  /** Sets by which reason a damaged key is refused from now on: brands differ in that. */
  public void answerToDamage(Reason reason) {
    lock.lock();
    try {
      answerToDamage = reason;
    } finally {
      lock.unlock();
    }
  }

  Reason answerToDamage() {
    lock.lock();
    try {
      return answerToDamage;
    } finally {
      lock.unlock();
    }
  }

  /** How many calls began so far, failed ones included. */
  public long calls(Operation operation) {
    lock.lock();
    try {
      return state(operation).calls;
    } finally {
      lock.unlock();
    }
  }

  long destroyReturns() {
    lock.lock();
    try {
      return destroyReturns;
    } finally {
      lock.unlock();
    }
  }

  /** To be called first in each operation. */
  void enter(Operation operation) {
    lock.lock();
    try {
      State state = state(operation);
      state.calls++;
      awaitHealed(state);
      if (state.failuresLeft > 0 && state.successesLeft-- <= 0) {
        state.failuresLeft--;
        throw new HsmException(state.reason, "fault: " + operation + " fails");
      }
    } finally {
      lock.unlock();
    }
  }

  /** A device that hangs does not notice an interrupt, so neither does this. */
  private void awaitHealed(State state) {
    state.hanging++;
    changed.signalAll();
    while (state.hangs) {
      changed.awaitUninterruptibly();
    }
    state.hanging--;
  }

  private State state(Operation operation) {
    State state = states.get(operation);
    if (state == null) {
      throw new AssertionError(operation);
    }
    return state;
  }
}
