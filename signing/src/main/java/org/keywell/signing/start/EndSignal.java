package org.keywell.signing.start;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.InstantiationAwareBeanPostProcessor;

/**
 * Whether this process has been told to end. A start checks between parts and while waiting: it
 * closes in order what exists by then, and creates no further part.
 *
 * <p>Thread-safe.
 */
public final class EndSignal implements InstantiationAwareBeanPostProcessor {

  private final CountDownLatch raised = new CountDownLatch(1);

  /** The start ends because the process was told to end; no report is needed. */
  public static final class StartAbandonedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public StartAbandonedException() {
      super("the start is abandoned: the process was told to end");
    }
  }

  public void raise() {
    raised.countDown();
  }

  public boolean isRaised() {
    return raised.getCount() == 0;
  }

  /** Waits this long or until the signal is raised; returns whether it is. */
  public boolean await(Duration time) throws InterruptedException {
    return raised.await(time.toNanos(), TimeUnit.NANOSECONDS);
  }

  /**
   * Lets a start go on.
   *
   * @throws StartAbandonedException if the signal is raised
   */
  public void check() {
    if (isRaised()) {
      throw new StartAbandonedException();
    }
  }

  /** Checks before a part is created; the code that created existing ones closes them. */
  @Override
  public @Nullable Object postProcessBeforeInstantiation(Class<?> type, String name) {
    check();
    return null;
  }
}
