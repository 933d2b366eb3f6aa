package org.keywell.service.sign;

import org.keywell.service.request.SampleRequests;
import org.keywell.service.request.SignRequest;

/** Admission to a queue where neither device nor CA is watched. */
final class OpenAdmission {

  private OpenAdmission() {}

  static Admission to(SignRequestQueue queue, ServiceTime serviceTime) {
    SigningGate open = new SigningGate(() -> false, () -> false, () -> true);
    return new Admission(
        queue, serviceTime, open, () -> false, SignListener.NONE, () -> {}, () -> {});
  }

  /** A request that comes to be admitted. */
  static PendingRequest pending(SignRequest request) {
    return new PendingRequest(request, SampleRequests.receivedNow());
  }
}
