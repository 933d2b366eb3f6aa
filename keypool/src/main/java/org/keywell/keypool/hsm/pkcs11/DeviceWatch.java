package org.keywell.keypool.hsm.pkcs11;

import java.time.Duration;
import org.keywell.keypool.KeyDestroyer;
import org.keywell.keypool.Worker;
import org.keywell.keypool.hsm.HsmException;
import org.keywell.keypool.hsm.HsmException.Reason;

/**
 * Asks an idle device how it is: nobody would notice that it failed, or that it recovered, where
 * nothing is signed and the pool is full. Makes no call while others do, unless the device is down:
 * then it has to prove itself once a second, until it does. Once a second, too, keys are tried
 * again that were not destroyed: here rather than where requests wait.
 */
public final class DeviceWatch implements AutoCloseable {

  private static final Duration PACE = Duration.ofSeconds(1);
  private static final Duration IDLE = Duration.ofSeconds(5);

  private final Pkcs11Hsm hsm;
  private final DeviceState state;
  private final KeyDestroyer destroyer;
  private final Worker worker;

  /**
   * @param destroyer for the keys of proofs, too
   */
  public DeviceWatch(Pkcs11Hsm hsm, DeviceState state, KeyDestroyer destroyer) {
    this.hsm = hsm;
    this.state = state;
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

  public void start() {
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
    if (state.down().isPresent() || !state.isLoggedIn()) {
      probe();
      prove();
    } else if (hsm.callsInProgress() == 0
        && nowNanos - state.lastSuccessNanos() >= IDLE.toNanos()) {
      probe();
    }
  }

  private void prove() {
    if (destroyer.atLimit()) {
      // A device that destroys nothing is not filled with the keys of proofs; the retries tell.
      return;
    }
    if (state.failsToGenerate()) {
      hsm.prove(destroyer::destroy);
    } else {
      hsm.proveSigning(destroyer::destroy);
    }
  }

  private void probe() {
    try {
      hsm.probe();
    } catch (HsmException e) {
      if (e.reason() == Reason.SESSION_LOST) {
        state.loginLost();
      }
      throw e;
    }
  }
}
