package org.keywell.keypool.hsm.pkcs11;

import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.keywell.keypool.hsm.HsmHealth.Failure;

/** Whether a device is open, and if not, whether it could be opened anew. Thread-safe. */
final class Life {

  private volatile @Nullable Failure loss;
  private volatile boolean reopeningFailed;

  /** Its sessions, its login or its keys are gone. */
  synchronized void lost(String why, long nowNanos) {
    if (loss == null) {
      loss = new Failure(why, 1, nowNanos, nowNanos);
    }
  }

  /** It was to be opened anew, and was not. */
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
   * The login was refused, or not tried because an earlier one was: that makes no row of failures.
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

  /** Why it is not open: the loss, or the last failure to open it anew. Empty while it is open. */
  Optional<Failure> loss() {
    return Optional.ofNullable(loss);
  }

  boolean hasReopeningFailed() {
    return reopeningFailed;
  }
}
