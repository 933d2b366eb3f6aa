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
 * Destroys every key of a device, and keeps account of those that the device did not destroy when
 * told to: the orphans. They are tried again, and they bound the damage: at the limit, signing and
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
   * @param gone completes with the attempt after which it does not exist any more; not before the
   *     first of these, and never if the process ends before
   */
  record Orphan(KeyHandle handle, CompletableFuture<Destruction> gone) {}

  /**
   * @param limit how many orphans may exist before work stops, at least 1
   * @param listener is told of each key that is destroyed, or is not, after it has been counted;
   *     what it throws is logged
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
   * Destroys a key. If the device does not, the key is an orphan from now on, unless the device
   * says that there is no such key.
   */
  Destruction destroy(KeyHandle handle) {
    Destruction destruction = attempt(handle);
    if (!destruction.keyIsGone()) {
      orphan(handle);
    }
    return destruction;
  }

  /** The first attempt by itself. If the key is not gone, {@link #orphan} is to follow. */
  Destruction attempt(KeyHandle handle) {
    Destruction destruction = hsm.destroy(handle);
    if (destruction.keyIsGone()) {
      tellDestroyed(handle.spec());
    }
    return destruction;
  }

  /** From now on the key is an orphan. */
  Orphan orphan(KeyHandle handle) {
    int now = count.incrementAndGet();
    Orphan orphan = new Orphan(handle, new CompletableFuture<>());
    orphans.add(orphan);
    log.warn("a {} key was not destroyed and is retried; orphaned keys: {}", handle.spec(), now);
    tellOrphaned(handle.spec());
    return orphan;
  }

  /**
   * Tries up to {@value #MAX_TRIES} orphans once more, in turn, until {@value #MAX_FAILED_TRIES} of
   * them were not destroyed again. What the device has left behind by itself is an orphan as well.
   *
   * @return how many are gone now
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

  /** A listener with a defect must not make a destroyed key look like one that is not. */
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
   * Lets a key be made, after one more try with the orphans if they are at the limit.
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
