package org.keywell.service.sign;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The measured time that one handler spends on one request, as an exponentially weighted mean. It
 * predicts the wait by the thesis's L = (KP + Si) · Q (section 4.4), with KP + Si measured.
 *
 * <p>Thread-safe.
 */
public final class ServiceTime {

  /** Weight of the newest request: about the last twenty count. */
  private static final double NEWEST = 0.1;

  private final AtomicLong meanNanos = new AtomicLong();
  private final int handlerThreads;

  public ServiceTime(int handlerThreads) {
    this.handlerThreads = handlerThreads;
  }

  /** Takes one request's time into the mean. */
  public void add(Duration time) {
    long nanos = time.toNanos();
    meanNanos.updateAndGet(mean -> mean == 0 ? nanos : Math.round(mean + NEWEST * (nanos - mean)));
  }

  /** How long a request would wait behind {@code queueLength} others; zero before the first. */
  public Duration predictedWait(int queueLength) {
    return Duration.ofNanos(meanNanos.get() * queueLength / handlerThreads);
  }
}
