package org.keywell.service.sign;

import java.time.Duration;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.keywell.service.problem.Problem;
import org.keywell.service.problem.ProblemType;

/**
 * Closed while it is known that no request can be signed, because the device or the CA fails: each
 * attempt would spend a key for nothing. It opens by itself when they work again.
 *
 * <p>Thread-safe. Asks only what others know already, and allocates nothing.
 */
public final class SigningGate {

  /** For what neither device nor CA is watched. */
  static final SigningGate OPEN = new SigningGate(() -> false, () -> false, () -> true);

  private static final Duration TRY_AGAIN = Duration.ofSeconds(2);

  /** Why no key may be spent. */
  record Closed(AdmissionLimit limit, Problem problem) {}

  private static final Optional<Closed> HSM_IS_DOWN =
      closed(
          AdmissionLimit.HSM, ProblemType.HSM_UNAVAILABLE, "the HSM fails; no key is spent on it");
  private static final Optional<Closed> CA_IS_DOWN =
      closed(AdmissionLimit.CA, ProblemType.CA_UNAVAILABLE, "the CA fails; no key is spent on it");
  private static final Optional<Closed> CA_IS_NOT_VALID =
      closed(
          AdmissionLimit.CA,
          ProblemType.CA_UNAVAILABLE,
          "the CA's certificates are not valid now, or not for keywell.ca.profile.min-validity");

  private final BooleanSupplier hsmIsDown;
  private final BooleanSupplier caIsDown;
  private final BooleanSupplier caIsValid;

  /** Each is asked for every request, on several threads; none may block. */
  SigningGate(BooleanSupplier hsmIsDown, BooleanSupplier caIsDown, BooleanSupplier caIsValid) {
    this.hsmIsDown = hsmIsDown;
    this.caIsDown = caIsDown;
    this.caIsValid = caIsValid;
  }

  /** Why it is closed; empty while it is open. */
  Optional<Closed> closed() {
    if (hsmIsDown.getAsBoolean()) {
      return HSM_IS_DOWN;
    }
    if (caIsDown.getAsBoolean()) {
      return CA_IS_DOWN;
    }
    return caIsValid.getAsBoolean() ? Optional.empty() : CA_IS_NOT_VALID;
  }

  private static Optional<Closed> closed(AdmissionLimit limit, ProblemType type, String detail) {
    return Optional.of(new Closed(limit, new Problem(type, detail, TRY_AGAIN)));
  }
}
