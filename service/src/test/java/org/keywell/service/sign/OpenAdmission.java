package org.keywell.service.sign;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.function.BooleanSupplier;
import org.keywell.service.fairness.CallerPlaces;
import org.keywell.service.fairness.QuotaDecision;
import org.keywell.service.fairness.Quotas;
import org.keywell.service.request.SampleRequests;
import org.keywell.service.request.SignRequest;

/** Admission to a queue where neither device nor CA is watched. */
final class OpenAdmission {

  private OpenAdmission() {}

  static Admission to(SignRequestQueue queue, ServiceTime serviceTime) {
    SigningGate open = new SigningGate(() -> false, () -> false, () -> true, _ -> false);
    return to(queue, serviceTime, open, () -> false);
  }

  static Admission to(
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
  static Admitted admitted(SignRequestQueue queue, SignRequest request) {
    return admitted(queue, request, () -> {});
  }

  /**
   * A request with a place in the queue.
   *
   * @param ended is told when it is settled
   */
  static Admitted admitted(SignRequestQueue queue, SignRequest request, Runnable ended) {
    assertThat(queue.reserve(request.caller(), request.keySpec()))
        .isEqualTo(CallerPlaces.Taking.TAKEN);
    QuotaDecision.Granted granted = (QuotaDecision.Granted) Quotas.none().take(request.caller());
    return new Admitted(pending(request), queue, granted, ended);
  }

  /** A request that comes to be admitted. */
  static PendingRequest pending(SignRequest request) {
    return new PendingRequest(request, SampleRequests.receivedNow());
  }
}
