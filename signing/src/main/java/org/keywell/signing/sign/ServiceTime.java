package org.keywell.signing.sign;

import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import org.keywell.keypool.hsm.KeySpec;

/**
 * The measured time per request for each kind of key, across all handlers, as an exponentially
 * weighted mean. It predicts the wait by the thesis's L = (KP + Si) · Q (section 4.4), with KP + Si
 * measured.
 *
 * <p>Thread-safe.
 */
public final class ServiceTime {

  /** Weight of the newest request: about the last twenty count. */
  private static final double NEWEST = 0.1;

  private final Map<KeySpec, AtomicLong> meanNanos = new EnumMap<>(KeySpec.class);
  private final int handlerThreads;
  private final int makerThreads;

  /**
   * @param handlerThreads sign threads
   * @param makerThreads threads that generate keys for single requests
   */
  public ServiceTime(int handlerThreads, int makerThreads) {
    this.handlerThreads = handlerThreads;
    this.makerThreads = makerThreads;
    for (KeySpec spec : KeySpec.values()) {
      meanNanos.put(spec, new AtomicLong());
    }
  }

  /**
   * Adds one request's time to the mean of its kind.
   *
   * @param work time of its handler
   * @param keyWait how long no request of its kind could start before, for lack of a key
   */
  public void add(KeySpec spec, Duration work, Duration keyWait) {
    add(spec, work.toNanos() / handlerThreads + keyWait.toNanos());
  }

  /** As {@link #add}, for a request whose key was generated, which takes most of the time. */
  public void addMade(KeySpec spec, Duration work) {
    add(spec, work.toNanos() / makerThreads);
  }

  private void add(KeySpec spec, long nanos) {
    of(spec).updateAndGet(mean -> mean == 0 ? nanos : Math.round(mean + NEWEST * (nanos - mean)));
  }

  /** Returns the wait for each request of this kind that goes before; zero before the first. */
  public long nanos(KeySpec spec) {
    return of(spec).get();
  }

  private AtomicLong of(KeySpec spec) {
    return Objects.requireNonNull(meanNanos.get(spec));
  }
}
