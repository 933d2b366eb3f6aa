package org.keywell.keypool;

import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/**
 * A thread that works for a test, which can see whether it waits. The test's timeout bounds all.
 */
public final class TestThread<T> {

  private final FutureTask<T> task;
  private final Thread thread;

  private TestThread(Callable<T> work) {
    task = new FutureTask<>(work);
    thread = Thread.ofPlatform().daemon().start(task);
  }

  public static <T> TestThread<T> start(Callable<T> work) {
    return new TestThread<>(work);
  }

  /** Returns when the thread waits, with or without a time limit. */
  public TestThread<T> awaitWaiting() {
    while (thread.getState() != Thread.State.WAITING
        && thread.getState() != Thread.State.TIMED_WAITING) {
      if (task.isDone()) {
        throw new AssertionError("the thread is done and did not wait");
      }
      Thread.onSpinWait();
    }
    return this;
  }

  public boolean isDone() {
    return task.isDone();
  }

  public void interrupt() {
    thread.interrupt();
  }

  /** What the work returned; throws what it threw. */
  public T result() throws Exception {
    try {
      return task.get();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof Exception cause) {
        throw cause;
      }
      throw e;
    }
  }
}
