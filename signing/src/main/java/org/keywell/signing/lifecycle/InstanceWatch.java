package org.keywell.signing.lifecycle;

import java.time.Duration;
import java.util.function.Consumer;
import org.keywell.keypool.KeyPools;
import org.keywell.keypool.worker.Worker;
import org.keywell.signing.database.DatabaseClock;
import org.keywell.signing.database.InstanceLock;

/**
 * Suspends admission while the lock on the instance's name is not held: after a restart of the
 * database, another process may have taken the name, and with it the records in flight. Once the
 * lock is retaken, keys forfeited meanwhile are destroyed. Compares the clock with the database's.
 */
final class InstanceWatch {

  private static final Duration EVERY = Duration.ofSeconds(2);

  /** Later checks find keys that were on their way into the HSM when the lock came back. */
  private static final int LOOKS_AFTER_RETURN = 3;

  private final InstanceLock lock;
  private final DatabaseClock clock;
  private final Consumer<Boolean> suspend;
  private final KeyPools pools;
  private final Worker worker;
  private int timesTaken;
  private int looksLeft;

  /**
   * @param suspend receives at each check whether nothing may be admitted
   */
  InstanceWatch(InstanceLock lock, DatabaseClock clock, Consumer<Boolean> suspend, KeyPools pools) {
    this.lock = lock;
    this.clock = clock;
    this.suspend = suspend;
    this.pools = pools;
    this.timesTaken = lock.timesTaken();
    this.worker = new Worker("keywell-instance", this::look, EVERY);
  }

  void start() {
    worker.start();
  }

  /** Returns whether the thread ended in time. */
  boolean end(Duration limit) {
    worker.stop();
    return worker.join(limit);
  }

  /** Checks once; the thread repeats this. */
  Duration look() {
    boolean held = lock.ensureHeld();
    if (!held) {
      suspend.accept(true);
      return EVERY;
    }
    clock.compare(lock);
    if (timesTaken != lock.timesTaken()) {
      suspend.accept(true);
      timesTaken = lock.timesTaken();
      looksLeft = LOOKS_AFTER_RETURN;
    }
    if (looksLeft > 0) {
      pools.destroyDisowned();
      looksLeft--;
    }
    suspend.accept(false);
    return EVERY;
  }
}
