package org.keywell.keypool.hsm.pkcs11;

import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.keywell.keypool.hsm.HsmHealth.Failure;

/** Whether a device is open, and if not, whether reopening it failed. Thread-safe. */
final class Life {

  private volatile @Nullable Failure loss;
  private volatile boolean reopeningFailed;

  /** Records that its sessions, its login or its keys are gone. */
  synchronized void lost(String why, long nowNanos) {
    if (loss == null) {
      loss = new Failure(why, 1, nowNanos, nowNanos);
    }
  }

  /** Records a failed reopening. */
  synchronized void reopeningFailed(String why, long nowNanos) {
    Failure before = loss;
    loss =
        before == null
            ? new Failure(why, 1, nowNanos, nowNanos)
            : new Failure(
                why, reopeningFailed ? before.inARow() + 1 : 1, before.firstNanos(), nowNanos);
    reopeningFailed = true;
  }

  /**
   * Records a login that was refused, or not tried after a refusal: such failures do not add up.
   */
  synchronized void loginRefused(String why, long nowNanos) {
    Failure before = loss;
    loss = new Failure(why, 1, before == null ? nowNanos : before.firstNanos(), nowNanos);
    reopeningFailed = true;
  }

  synchronized void reopened() {
    loss = null;
    reopeningFailed = false;
  }

  boolean isLost() {
    return loss != null;
  }

  /** Returns why it is not open: the loss, or the last failed reopening. Empty while it is open. */
  Optional<Failure> loss() {
    return Optional.ofNullable(loss);
  }

  boolean hasReopeningFailed() {
    return reopeningFailed;
  }
}
