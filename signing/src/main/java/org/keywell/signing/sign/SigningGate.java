package org.keywell.signing.sign;

import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.signing.request.FailureReason;
import org.keywell.signing.request.Refusal;

/**
 * A gate that is closed while the device or the CA is known to fail, or the clock is in doubt: each
 * attempt to sign would waste a key. It reopens on its own when they work again.
 *
 * <p>Thread-safe. Uses only what others already know, and allocates nothing.
 */
public final class SigningGate {

  /**
   * Why no key may be spent.
   *
   * @param limit the limit that a request hits
   * @param refusal why a new request is refused
   * @param reason why an accepted request fails
   */
  record Closed(
      AdmissionLimit limit, Refusal.Reason refusal, FailureReason reason, String detail) {}

  private static final Optional<Closed> HSM_IS_DOWN =
      closed(
          AdmissionLimit.HSM,
          Refusal.Reason.HSM_UNAVAILABLE,
          FailureReason.HSM_UNAVAILABLE,
          "the HSM is failing; no key is spent on it");
  private static final Optional<Closed> HSM_IS_FULL =
      closed(
          AdmissionLimit.HSM_FULL,
          Refusal.Reason.HSM_UNAVAILABLE,
          FailureReason.HSM_UNAVAILABLE,
          "the HSM has no room for another key (CKR_DEVICE_MEMORY), and none of this kind is"
              + " loaded");
  private static final Optional<Closed> CA_IS_DOWN =
      closed(
          AdmissionLimit.CA,
          Refusal.Reason.CA_UNAVAILABLE,
          FailureReason.CA_UNAVAILABLE,
          "the CA is failing; no key is spent on it");
  private static final Optional<Closed> CA_IS_NOT_VALID =
      closed(
          AdmissionLimit.CA,
          Refusal.Reason.CA_UNAVAILABLE,
          FailureReason.CA_UNAVAILABLE,
          "the CA's certificates are not valid now, or not for all of"
              + " keywell.ca.profile.min-validity");

  private static final Optional<Closed> CLOCK_IS_IN_DOUBT =
      closed(
          AdmissionLimit.CLOCK,
          Refusal.Reason.CA_UNAVAILABLE,
          FailureReason.CA_UNAVAILABLE,
          "this instance's clock and the database's disagree; nothing is certified by it");

  private final BooleanSupplier clockIsInDoubt;
  private final BooleanSupplier hsmIsDown;
  private final BooleanSupplier caIsDown;
  private final BooleanSupplier caIsValid;
  private final Predicate<KeySpec> hsmIsFull;

  /**
   * Each supplier is called for every request, on several threads; none may block.
   *
   * @param hsmIsFull whether no key of this kind is loaded, and the device has no room for one
   */
  public SigningGate(
      BooleanSupplier clockIsInDoubt,
      BooleanSupplier hsmIsDown,
      BooleanSupplier caIsDown,
      BooleanSupplier caIsValid,
      Predicate<KeySpec> hsmIsFull) {
    this.clockIsInDoubt = clockIsInDoubt;
    this.hsmIsDown = hsmIsDown;
    this.caIsDown = caIsDown;
    this.caIsValid = caIsValid;
    this.hsmIsFull = hsmIsFull;
  }

  /** Returns why it is closed for this kind of key; empty while it is open. */
  Optional<Closed> closed(KeySpec spec) {
    if (clockIsInDoubt.getAsBoolean()) {
      return CLOCK_IS_IN_DOUBT;
    }
    if (hsmIsDown.getAsBoolean()) {
      return HSM_IS_DOWN;
    }
    if (caIsDown.getAsBoolean()) {
      return CA_IS_DOWN;
    }
    if (!caIsValid.getAsBoolean()) {
      return CA_IS_NOT_VALID;
    }
    return hsmIsFull.test(spec) ? HSM_IS_FULL : Optional.empty();
  }

  /** Returns why an already certified key cannot sign; empty while it can. */
  Optional<Closed> deviceClosed() {
    return hsmIsDown.getAsBoolean() ? HSM_IS_DOWN : Optional.empty();
  }

  /** Returns what keeps the device from signing; empty while nothing is known to. Never blocks. */
  public Optional<String> deviceFault() {
    return deviceClosed().map(Closed::detail);
  }

  private static Optional<Closed> closed(
      AdmissionLimit limit, Refusal.Reason refusal, FailureReason reason, String detail) {
    return Optional.of(new Closed(limit, refusal, reason, detail));
  }
}
