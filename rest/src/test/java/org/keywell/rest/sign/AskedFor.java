package org.keywell.rest.sign;

import java.sql.SQLException;
import java.time.Duration;
import java.time.InstantSource;
import java.time.LocalDate;
import java.util.List;
import java.util.UUID;
import org.keywell.ca.Subject;
import org.keywell.keypool.hsm.DigestAlgorithm;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.keypool.hsm.SignatureScheme;
import org.keywell.signing.caller.Caller;
import org.keywell.signing.database.QuotaReservations;
import org.keywell.signing.fairness.DailyQuota;
import org.keywell.signing.request.RequestTimes;
import org.keywell.signing.request.SignRequest;
import org.keywell.signing.request.SigningForm;
import org.keywell.signing.sign.Admission;
import org.keywell.signing.sign.PendingRequest;
import org.keywell.signing.sign.ServiceTime;
import org.keywell.signing.sign.SignListener;
import org.keywell.signing.sign.SignRequestQueue;
import org.keywell.signing.sign.SigningGate;

/** Requests, and an admission to a queue that nothing but its places limits. */
final class AskedFor {

  private AskedFor() {}

  /** One signature with the fastest kind of key. */
  static SignRequest by(Caller caller) {
    byte[] digest = new byte[DigestAlgorithm.SHA_256.lengthBytes()];
    return new SignRequest(
        UUID.randomUUID(),
        digest,
        new SigningForm.Bare(),
        DigestAlgorithm.SHA_256,
        List.of(digest),
        SignatureScheme.ECDSA,
        KeySpec.EC_P256,
        Subject.ofCommonName("Astrid Exempel"),
        "standard",
        null,
        Duration.ofSeconds(30),
        caller,
        null);
  }

  /** Takes a place in the queue. */
  static void admit(Admission admission, Caller caller) {
    admission.admit(
        new PendingRequest(by(caller), new RequestTimes(InstantSource.system(), System::nanoTime)));
  }

  static Admission admission(int places) {
    return new Admission(
        new SignRequestQueue(places, System::nanoTime),
        new ServiceTime(1, 1),
        new SigningGate(() -> false, () -> false, () -> false, () -> true, _ -> false),
        () -> false,
        new DailyQuota(new NoQuotas(), InstantSource.system()),
        SignListener.NONE,
        () -> {},
        () -> {});
  }

  private static final class NoQuotas implements QuotaReservations {

    @Override
    public long reserve(String caller, LocalDate day, long quota, long wanted) throws SQLException {
      throw new SQLException("no caller has a quota");
    }

    @Override
    public void release(String caller, LocalDate day, long unused) {}

    @Override
    public void forgetBefore(LocalDate day) {}
  }
}
