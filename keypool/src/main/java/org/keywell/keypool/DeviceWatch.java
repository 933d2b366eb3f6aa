package org.keywell.keypool;

import java.time.Duration;
import org.keywell.keypool.hsm.Hsm;
import org.keywell.keypool.hsm.HsmException;
import org.keywell.keypool.hsm.HsmHealth;

/**
 * Asks an idle device how it is: nobody would notice that it failed, or that it recovered, where
 * nothing is signed and the pool is full. Makes no call while others do, unless the device is down:
 * then it has to prove itself once a second, until it does. Once a second, too, keys are tried
 * again that were not destroyed: here rather than where requests wait.
 */
final class DeviceWatch implements AutoCloseable {

  private static final Duration PACE = Duration.ofSeconds(1);
  private static final Duration IDLE = Duration.ofSeconds(5);

  private final Hsm hsm;
  private final KeyDestroyer destroyer;
  private final Worker worker;

  /**
   * @param destroyer for the keys of proofs, too
   */
  DeviceWatch(Hsm hsm, KeyDestroyer destroyer) {
    this.hsm = hsm;
    this.destroyer = destroyer;
    this.worker =
        new Worker(
            "keywell-hsm-watch",
            () -> {
              look(System.nanoTime());
              return PACE;
            },
            PACE);
  }

  void start() {
    worker.start();
  }

  @Override
  public void close() {
    worker.stop();
    worker.join();
  }

  /**
   * Tries keys again that were not destroyed, and looks at the device. One that is down has to do
   * whatever failed, and to sign; of one that is idle, only the session and the token are asked.
   *
   * @throws HsmException if the device fails
   */
  void look(long nowNanos) {
    destroyer.retry();
    HsmHealth health = hsm.health();
    if (health.down().isPresent() || !health.loggedIn()) {
      hsm.probe();
      // A device that destroys nothing is not filled with the keys of proofs; the retries tell.
      if (!destroyer.atLimit()) {
        hsm.prove(destroyer::destroy);
      }
    } else if (health.callsInProgress() == 0
        && nowNanos - health.lastSuccessNanos() >= IDLE.toNanos()) {
      hsm.probe();
    }
  }
}
