package org.keywell.keypool.hsm.pkcs11;

import java.time.Duration;
import org.keywell.keypool.Worker;
import org.keywell.keypool.hsm.HsmException;
import org.keywell.keypool.hsm.HsmException.Reason;

/**
 * Asks an idle device how it is: nobody would notice that it failed, or that it recovered, where
 * nothing is signed and the pool is full. Makes no call while others do.
 */
public final class DeviceWatch implements AutoCloseable {

  private static final Duration EVERY = Duration.ofSeconds(5);

  private final Pkcs11Hsm hsm;
  private final DeviceState state;
  private final Worker worker;

  public DeviceWatch(Pkcs11Hsm hsm, DeviceState state) {
    this.hsm = hsm;
    this.state = state;
    this.worker =
        new Worker(
            "keywell-hsm-watch",
            () -> {
              look(System.nanoTime());
              return EVERY;
            });
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
   * Looks at the device if it is idle: one that is down has to prove itself, with an RSA key made
   * for it; of one that is not, only the session and the token are asked.
   *
   * @throws HsmException if the device fails
   */
  void look(long nowNanos) {
    if (hsm.callsInProgress() > 0) {
      return;
    }
    if (state.down().isPresent() || !state.isLoggedIn()) {
      hsm.prove();
    } else if (nowNanos - state.lastSuccessNanos() >= EVERY.toNanos()) {
      probe();
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
