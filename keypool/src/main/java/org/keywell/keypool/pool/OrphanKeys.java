package org.keywell.keypool.pool;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.keywell.keypool.hsm.Hsm;
import org.keywell.keypool.hsm.KeyHandle;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keys that the device did not destroy when told to. They are counted and tried again, and they
 * bound the damage: at the limit no further key should be made live, see {@link #atLimit}.
 *
 * <p>Thread-safe.
 */
public final class OrphanKeys {

  private static final Logger log = LoggerFactory.getLogger(OrphanKeys.class);

  private final Hsm hsm;
  private final int limit;
  private final ConcurrentLinkedQueue<KeyHandle> orphans = new ConcurrentLinkedQueue<>();
  private final AtomicInteger count = new AtomicInteger();

  /**
   * @param limit how many orphans may exist before work stops, at least 1
   */
  public OrphanKeys(Hsm hsm, int limit) {
    if (limit < 1) {
      throw new IllegalArgumentException("max-orphans is " + limit + ", expected at least 1");
    }
    this.hsm = hsm;
    this.limit = limit;
  }

  /** Takes over a key that the device did not destroy. */
  public void add(KeyHandle handle) {
    orphans.add(handle);
    int now = count.incrementAndGet();
    log.warn("a {} key was not destroyed and is retried; orphaned keys: {}", handle.spec(), now);
  }

  /** Tries each orphan once more and returns how many are gone now. */
  public int retry() {
    List<KeyHandle> stubborn = new ArrayList<>();
    int gone = 0;
    for (KeyHandle handle = orphans.poll(); handle != null; handle = orphans.poll()) {
      if (hsm.destroy(handle).keyIsGone()) {
        gone++;
      } else {
        stubborn.add(handle);
      }
    }
    orphans.addAll(stubborn);
    if (gone > 0) {
      log.info("orphaned keys destroyed: {}, left: {}", gone, count.addAndGet(-gone));
    }
    return gone;
  }

  public int count() {
    return count.get();
  }

  /** Whether the limit is reached: signing stops before the device fills with undestroyed keys. */
  public boolean atLimit() {
    return count.get() >= limit;
  }
}
