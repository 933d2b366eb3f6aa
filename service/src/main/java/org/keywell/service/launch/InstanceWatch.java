package org.keywell.service.launch;

import java.time.Duration;
import org.keywell.keypool.Worker;
import org.keywell.service.database.InstanceLock;
import org.keywell.service.sign.Admission;

/**
 * Suspends admission while the lock on the instance's name is not held: after a restart of the
 * database, another process may have taken the name, and with it the records in flight.
 */
final class InstanceWatch {

  private static final Duration EVERY = Duration.ofSeconds(2);

  private final Worker worker;

  InstanceWatch(InstanceLock lock, Admission admission) {
    this.worker =
        new Worker(
            "keywell-instance",
            () -> {
              admission.suspend(!lock.ensureHeld());
              return EVERY;
            });
  }

  void start() {
    worker.start();
  }

  /** Returns whether the thread has ended in time. */
  boolean end(Duration limit) {
    worker.stop();
    return worker.join(limit);
  }
}
