package org.keywell.keypool;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.keywell.keypool.hsm.Destruction;
import org.keywell.keypool.hsm.Hsm;
import org.keywell.keypool.hsm.HsmException;
import org.keywell.keypool.hsm.HsmException.Reason;
import org.keywell.keypool.hsm.KeyHandle;
import org.keywell.keypool.hsm.KeySpec;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Destroys every key of a device and keeps account of orphans: keys that the device did not destroy
 * when asked to. Orphans are retried, and their number limits the damage: at the limit, signing and
 * generating stop, see {@link #atLimit}.
 *
 * <p>Thread-safe.
 */
final class KeyDestroyer {

  private static final Logger log = LoggerFactory.getLogger(KeyDestroyer.class);

  private static final int MAX_TRIES = 100;
  private static final int MAX_FAILED_TRIES = 5;

  private final Hsm hsm;
  private final int limit;
  private final PoolListener listener;
  private final ConcurrentLinkedQueue<Orphan> orphans = new ConcurrentLinkedQueue<>();
  private final AtomicInteger count = new AtomicInteger();

  /**
   * A key that the device did not destroy.
   *
   * @param gone completes with the first attempt after which the key no longer exists; never, if
   *     the process ends before
   */
  record Orphan(KeyHandle handle, CompletableFuture<Destruction> gone) {}

  /**
   * @param limit how many orphans may exist before work stops, at least 1
   * @param listener notified of each destroyed key, and of each orphan after it has been counted;
   *     its exceptions are logged
   */
  KeyDestroyer(Hsm hsm, int limit, PoolListener listener) {
    if (limit < 1) {
      throw new IllegalArgumentException("max-orphans is " + limit + ", expected at least 1");
    }
    this.hsm = hsm;
    this.limit = limit;
    this.listener = listener;
  }

  /**
   * Destroys a key. A key that the device does not destroy becomes an orphan, unless it is gone
   * already.
   */
  Destruction destroy(KeyHandle handle) {
    Destruction destruction = attempt(handle);
    if (!destruction.keyIsGone()) {
      orphan(handle);
    }
    return destruction;
  }

  /** Makes only the first attempt. If the key is not gone, {@link #orphan} must follow. */
  Destruction attempt(KeyHandle handle) {
    Destruction destruction = hsm.destroy(handle);
    if (destruction.keyIsGone()) {
      tellDestroyed(handle.spec());
    }
    return destruction;
  }

  /** Makes the key an orphan. */
  Orphan orphan(KeyHandle handle) {
    int now = count.incrementAndGet();
    Orphan orphan = new Orphan(handle, new CompletableFuture<>());
    orphans.add(orphan);
    log.warn("a {} key was not destroyed and is retried; orphaned keys: {}", handle.spec(), now);
    tellOrphaned(handle.spec());
    return orphan;
  }

  /**
   * Retries up to {@value #MAX_TRIES} orphans in turn, until {@value #MAX_FAILED_TRIES} of them
   * have failed again. Keys that the device itself left behind also become orphans.
   *
   * @return how many are gone
   */
  int retry() {
    hsm.takeUndestroyed().forEach(this::orphan);
    int gone = 0;
    int failed = 0;
    for (int tries = Math.min(count(), MAX_TRIES); tries > 0; tries--) {
      Orphan orphan = failed < MAX_FAILED_TRIES ? orphans.poll() : null;
      if (orphan == null) {
        break;
      }
      Destruction destruction = attempt(orphan.handle());
      if (destruction.keyIsGone()) {
        gone++;
        count.decrementAndGet();
        orphan.gone().complete(destruction);
      } else {
        failed++;
        orphans.add(orphan);
      }
    }
    if (gone > 0) {
      log.info("orphaned keys destroyed: {}, left: {}", gone, count());
    }
    return gone;
  }

  /** A defective listener must not make a destroyed key look undestroyed. */
  private void tellDestroyed(KeySpec spec) {
    try {
      listener.destroyed(spec);
    } catch (RuntimeException e) {
      log.error("a listener failed when a {} key was destroyed", spec, e);
    }
  }

  private void tellOrphaned(KeySpec spec) {
    try {
      listener.orphaned(spec);
    } catch (RuntimeException e) {
      log.error("a listener failed when a {} key was orphaned", spec, e);
    }
  }

  int count() {
    return count.get();
  }

  /** Whether the limit is reached: work stops before the device fills with undestroyed keys. */
  boolean atLimit() {
    return count.get() >= limit;
  }

  /**
   * Allows a key to be generated. If the orphans are at the limit, retries them once first.
   *
   * @throws HsmException with {@link Reason#EXHAUSTED} if they still are
   */
  void requireBelowLimit() {
    if (!atLimit()) {
      return;
    }
    retry();
    if (atLimit()) {
      throw new HsmException(
          Reason.EXHAUSTED, "max-orphans is reached by " + count() + " undestroyed keys");
    }
  }
}
