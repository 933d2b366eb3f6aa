package org.keywell.signing.sign;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.function.BooleanSupplier;
import org.keywell.signing.fairness.CallerPlaces;
import org.keywell.signing.fairness.QuotaDecision;
import org.keywell.signing.fairness.Quotas;
import org.keywell.signing.request.SampleRequests;
import org.keywell.signing.request.SignRequest;

/** Admission to a queue where neither device nor CA is watched. */
public final class OpenAdmission {

  private OpenAdmission() {}

  public static Admission to(SignRequestQueue queue, ServiceTime serviceTime) {
    SigningGate open =
        new SigningGate(() -> false, () -> false, () -> false, () -> true, _ -> false);
    return to(queue, serviceTime, open, () -> false);
  }

  public static Admission to(
      SignRequestQueue queue,
      ServiceTime serviceTime,
      SigningGate gate,
      BooleanSupplier recordsAreStuck) {
    return new Admission(
        queue,
        serviceTime,
        gate,
        recordsAreStuck,
        Quotas.none(),
        SignListener.NONE,
        () -> {},
        () -> {});
  }

  /** A request with a place in the queue. */
  public static Admitted admitted(SignRequestQueue queue, SignRequest request) {
    return admitted(queue, request, () -> {});
  }

  /**
   * A request with a place in the queue.
   *
   * @param ended is told when it is settled
   */
  public static Admitted admitted(SignRequestQueue queue, SignRequest request, Runnable ended) {
    assertThat(queue.reserve(request.caller(), request.keySpec()))
        .isEqualTo(CallerPlaces.Taking.TAKEN);
    QuotaDecision.Granted granted = (QuotaDecision.Granted) Quotas.none().take(request.caller());
    return new Admitted(pending(request), queue, granted, ended);
  }

  /** A request that comes to be admitted. */
  public static PendingRequest pending(SignRequest request) {
    return new PendingRequest(request, SampleRequests.receivedNow());
  }
}
