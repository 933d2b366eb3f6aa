package org.keywell.service.launch;

import java.time.Duration;
import org.keywell.keypool.KeyPools;
import org.keywell.keypool.Worker;
import org.keywell.service.database.InstanceLock;
import org.keywell.service.sign.Admission;

/**
 * Suspends admission while the lock on the instance's name is not held: after a restart of the
 * database, another process may have taken the name, and with it the records in flight. When the
 * lock was taken again, keys are destroyed that were given up meanwhile.
 */
final class InstanceWatch {

  private static final Duration EVERY = Duration.ofSeconds(2);

  /**
   * Keys that were on their way into the HSM when the lock came back are found by the next looks.
   */
  private static final int LOOKS_AFTER_RETURN = 3;

  private final InstanceLock lock;
  private final Admission admission;
  private final KeyPools pools;
  private final Worker worker;
  private int timesTaken;
  private int looksLeft;

  InstanceWatch(InstanceLock lock, Admission admission, KeyPools pools) {
    this.lock = lock;
    this.admission = admission;
    this.pools = pools;
    this.timesTaken = lock.timesTaken();
    this.worker = new Worker("keywell-instance", this::look, EVERY);
  }

  void start() {
    worker.start();
  }

  /** Returns whether the thread has ended in time. */
  boolean end(Duration limit) {
    worker.stop();
    return worker.join(limit);
  }

  private Duration look() {
    boolean held = lock.ensureHeld();
    if (!held) {
      admission.suspend(true);
      return EVERY;
    }
    if (timesTaken != lock.timesTaken()) {
      admission.suspend(true);
      timesTaken = lock.timesTaken();
      looksLeft = LOOKS_AFTER_RETURN;
    }
    if (looksLeft > 0) {
      pools.destroyDisowned();
      looksLeft--;
    }
    admission.suspend(false);
    return EVERY;
  }
}
