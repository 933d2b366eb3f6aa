package org.keywell.signing.sign;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.signing.caller.Caller;
import org.keywell.signing.fairness.DailyQuota;
import org.keywell.signing.fairness.Limited;
import org.keywell.signing.fairness.Quotas;
import org.keywell.signing.request.Refusal;
import org.keywell.signing.request.RefusedException;
import org.keywell.signing.request.SampleRequests;
import org.keywell.signing.request.SignRequest;

final class AdmissionTest {

  private final SignRequestQueue queue = new SignRequestQueue(2, System::nanoTime);
  private final ServiceTime serviceTime = new ServiceTime(1, 1);
  private final Admission admission = OpenAdmission.to(queue, serviceTime);

  @Test
  void reservesAPlace() {
    admission.admit(OpenAdmission.pending(SampleRequests.any()));

    assertThat(queue.length()).isEqualTo(1);
  }

  @Test
  void aFullQueueNamesItsSetting() {
    admission.admit(OpenAdmission.pending(SampleRequests.any()));
    admission.admit(OpenAdmission.pending(SampleRequests.any()));

    Refusal refusal = refusal(Duration.ofSeconds(30));

    assertThat(refusal.reason()).isEqualTo(Refusal.Reason.QUEUE_FULL);
    assertThat(refusal.detail()).isEqualTo("keywell.sign.queue-limit is reached: 2");
    assertThat(refusal.retryAfter()).isNotNull();
    assertThat(queue.length()).isEqualTo(2);
  }

  @Test
  void aWaitBeyondTheDeadlineIsRefusedAtOnce() {
    serviceTime.add(KeySpec.EC_P256, Duration.ofSeconds(5), Duration.ZERO);
    admission.admit(OpenAdmission.pending(SampleRequests.any()));

    Refusal refusal = refusal(Duration.ofSeconds(4));

    assertThat(refusal.reason()).isEqualTo(Refusal.Reason.WAIT_TOO_LONG);
    assertThat(refusal.detail()).contains("5000 ms").contains("4000 ms");
    assertThat(refusal.retryAfter()).isEqualTo(Duration.ofSeconds(1));
    assertThat(queue.length()).isEqualTo(1);
    admission.admit(OpenAdmission.pending(SampleRequests.withDeadline(Duration.ofSeconds(5))));
  }

  @Test
  void anEmptyQueueAdmitsHoweverSlowTheLastOnesWere() {
    serviceTime.add(KeySpec.EC_P256, Duration.ofHours(1), Duration.ZERO);

    admission.admit(OpenAdmission.pending(SampleRequests.withDeadline(Duration.ofMillis(1))));
  }

  @Test
  void aFullQueueIsOverloadWhateverARequestSays() {
    admission.admit(OpenAdmission.pending(SampleRequests.any()));
    assertThat(admission.overload()).isNull();
    admission.admit(OpenAdmission.pending(SampleRequests.any()));

    assertThat(admission.overload()).isEqualTo(refusal(Duration.ofSeconds(30)));
  }

  @Test
  void aStopIsNoOverload() {
    admission.admit(OpenAdmission.pending(SampleRequests.any()));
    admission.admit(OpenAdmission.pending(SampleRequests.any()));
    admission.close();

    assertThat(admission.overload()).isNull();
  }

  @Test
  void admitsNothingOnceClosedAndKeepsNoPlace() {
    admission.close();

    assertThat(refusal(Duration.ofSeconds(30)).reason()).isEqualTo(Refusal.Reason.SHUTTING_DOWN);
    assertThat(queue.length()).isZero();
  }

  @ParameterizedTest
  @CsvSource({
    "false, true, false, true, HSM, HSM_UNAVAILABLE",
    "false, false, true, true, CA, CA_UNAVAILABLE",
    "false, false, false, false, CA, CA_UNAVAILABLE",
    "true, false, false, true, CLOCK, CA_UNAVAILABLE"
  })
  void aDeviceOrCaThatFailsIsRefusedAtTheDoor(
      boolean clockIsInDoubt,
      boolean hsmIsDown,
      boolean caIsDown,
      boolean caIsValid,
      AdmissionLimit limit,
      Refusal.Reason type) {
    AtomicBoolean fails = new AtomicBoolean(true);
    SigningGate gate =
        new SigningGate(
            () -> fails.get() && clockIsInDoubt,
            () -> fails.get() && hsmIsDown,
            () -> fails.get() && caIsDown,
            () -> !fails.get() || caIsValid,
            _ -> false);
    Admission guarded = OpenAdmission.to(queue, serviceTime, gate, () -> false);

    Refusal refusal = refusal(guarded, Duration.ofSeconds(30));

    assertThat(refusal.reason()).isEqualTo(type);
    assertThat(refusal.retryAfter()).isNotNull();
    assertThat(gate.closed(SampleRequests.any().keySpec()).orElseThrow().limit()).isEqualTo(limit);
    assertThat(queue.length()).isZero();
    fails.set(false);
    guarded.admit(OpenAdmission.pending(SampleRequests.any()));
  }

  @Test
  void aKindThatAFullDeviceHasNoKeyOfIsRefusedAtTheDoor() {
    KeySpec kind = SampleRequests.any().keySpec();
    AtomicBoolean full = new AtomicBoolean(true);
    SigningGate gate =
        new SigningGate(
            () -> false, () -> false, () -> false, () -> true, spec -> full.get() && spec == kind);
    Admission guarded = OpenAdmission.to(queue, serviceTime, gate, () -> false);

    Refusal refusal = refusal(guarded, Duration.ofSeconds(30));

    assertThat(refusal.reason()).isEqualTo(Refusal.Reason.HSM_UNAVAILABLE);
    assertThat(refusal.detail()).contains("no room for another key");
    assertThat(refusal.retryAfter()).isEqualTo(Duration.ofSeconds(2));
    assertThat(gate.closed(kind).orElseThrow().limit()).isEqualTo(AdmissionLimit.HSM_FULL);
    assertThat(queue.length()).isZero();
    full.set(false);
    guarded.admit(OpenAdmission.pending(SampleRequests.any()));
  }

  @Test
  void whatCannotBeRecordedIsRefusedAtTheDoor() {
    AtomicBoolean stuck = new AtomicBoolean(true);
    SigningGate open =
        new SigningGate(() -> false, () -> false, () -> false, () -> true, _ -> false);
    Admission guarded = OpenAdmission.to(queue, serviceTime, open, stuck::get);

    Refusal refusal = refusal(guarded, Duration.ofSeconds(30));

    assertThat(refusal.reason()).isEqualTo(Refusal.Reason.RECORD_UNAVAILABLE);
    assertThat(refusal.retryAfter()).isNotNull();
    assertThat(queue.length()).isZero();
    stuck.set(false);
    guarded.admit(OpenAdmission.pending(SampleRequests.any()));
  }

  @Test
  void aCallersShareIsNamedWhileOthersMayComeIn() {
    SignRequestQueue four = new SignRequestQueue(4, System::nanoTime);
    Admission fair = OpenAdmission.to(four, serviceTime);
    serviceTime.add(KeySpec.EC_P256, Duration.ofMillis(100), Duration.ZERO);
    Caller flooder = Limited.share("flooder", 50);
    fair.admit(OpenAdmission.pending(SampleRequests.of(flooder)));
    assertThat(fair.overload(flooder)).isNull();
    fair.admit(OpenAdmission.pending(SampleRequests.of(flooder)));

    Refusal refusal = refusal(fair, SampleRequests.of(flooder));

    assertThat(refusal.reason()).isEqualTo(Refusal.Reason.QUEUE_SHARE);
    assertThat(refusal.detail())
        .isEqualTo("the caller's queue-share-percent is reached: 2 of 4 places");
    assertThat(refusal.retryAfter()).isEqualTo(Duration.ofMillis(200));
    assertThat(fair.overload(flooder)).as("unread").isEqualTo(refusal);
    assertThat(fair.overload()).as("for any caller").isNull();
    Caller other = Limited.share("other", 50);
    assertThat(fair.overload(other)).isNull();
    fair.admit(OpenAdmission.pending(SampleRequests.of(other)));
    fair.admit(OpenAdmission.pending(SampleRequests.of(other)));
    assertThat(fair.overload(flooder))
        .satisfies(full -> assertThat(full.reason()).isEqualTo(Refusal.Reason.QUEUE_FULL));
  }

  /** The backlog of others does not make a caller wait, and so does not have it refused. */
  @Test
  void theWaitIsPredictedFromTheCallersOwnBacklog() {
    SignRequestQueue many = new SignRequestQueue(100, System::nanoTime);
    Admission fair = OpenAdmission.to(many, serviceTime);
    Caller flooder = Limited.share("flooder", 50);
    Caller other = Limited.share("other", 25);
    for (int i = 0; i < 50; i++) {
      fair.admit(OpenAdmission.pending(SampleRequests.of(flooder)));
    }
    serviceTime.add(KeySpec.EC_P256, Duration.ofSeconds(1), Duration.ZERO);

    fair.admit(OpenAdmission.pending(SampleRequests.of(other, Duration.ofMillis(1))));
    Refusal second = refusal(fair, SampleRequests.of(other, Duration.ofMillis(2_900)));

    assertThat(second.reason()).isEqualTo(Refusal.Reason.WAIT_TOO_LONG);
    assertThat(second.detail()).as("one of its own, two of the other's").contains("3 requests");
    fair.admit(OpenAdmission.pending(SampleRequests.of(other, Duration.ofSeconds(3))));
  }

  /** They wait for keys, and those for another kind pass them. */
  @Test
  void theWaitIsPredictedFromTheKindsThatHaveKeys() throws Exception {
    SignRequestQueue many = new SignRequestQueue(100, System::nanoTime);
    Admission kinds = OpenAdmission.to(many, serviceTime);
    serviceTime.add(KeySpec.EC_P256, Duration.ofSeconds(1), Duration.ZERO);
    serviceTime.add(KeySpec.RSA_2048, Duration.ofMillis(10), Duration.ofMillis(1_990));
    for (int i = 0; i < 5; i++) {
      SignRequest rsa = SampleRequests.of(KeySpec.RSA_2048, SampleRequests.any());
      kinds.admit(OpenAdmission.pending(rsa)).enqueue();
    }
    assertThat(refusal(kinds, SampleRequests.withDeadline(Duration.ofSeconds(9))).reason())
        .isEqualTo(Refusal.Reason.WAIT_TOO_LONG);

    assertThat(Polled.now(many, _ -> null)).as("none has a key").isNull();

    kinds.admit(OpenAdmission.pending(SampleRequests.withDeadline(Duration.ofMillis(1))));
    SignRequest next =
        SampleRequests.of(KeySpec.RSA_2048, SampleRequests.withDeadline(Duration.ofSeconds(9)));
    assertThat(refusal(kinds, next).reason()).isEqualTo(Refusal.Reason.WAIT_TOO_LONG);
  }

  @Test
  void aUsedQuotaIsNamedAndTakesNoPlace() {
    Admission limited = withQuota();
    Caller caller = Limited.quota("caller", 1);
    limited.admit(OpenAdmission.pending(SampleRequests.of(caller))).settle();

    Refusal refusal = refusal(limited, SampleRequests.of(caller));

    assertThat(refusal.reason()).isEqualTo(Refusal.Reason.QUOTA_USED);
    assertThat(refusal.detail())
        .isEqualTo("the caller's daily-quota is used up: 1 requests a day (UTC)");
    assertThat(refusal.retryAfter()).isEqualTo(Duration.ofHours(12));
    assertThat(queue.length()).isZero();
  }

  @Test
  void whatIsRefusedOrWithdrawnUsesNoQuota() {
    Admission limited = withQuota();
    Caller caller = Limited.quota("caller", 3);
    Admitted first = limited.admit(OpenAdmission.pending(SampleRequests.of(caller)));
    Admitted repeat = first;
    for (int i = 0; i < 20; i++) {
      assertThat(refusal(limited, SampleRequests.of(caller)).reason())
          .isEqualTo(Refusal.Reason.QUEUE_SHARE);
      repeat.withdraw();
      repeat = limited.admit(OpenAdmission.pending(SampleRequests.of(caller)));
    }
    repeat.settle();
    limited.admit(OpenAdmission.pending(SampleRequests.of(caller))).settle();
    limited.admit(OpenAdmission.pending(SampleRequests.of(caller))).settle();

    assertThat(refusal(limited, SampleRequests.of(caller)).reason())
        .isEqualTo(Refusal.Reason.QUOTA_USED);
    assertThat(queue.length()).isZero();
  }

  private Admission withQuota() {
    DailyQuota quota = Quotas.at(Instant.parse("2026-03-01T12:00:00Z"));
    SigningGate open =
        new SigningGate(() -> false, () -> false, () -> false, () -> true, _ -> false);
    return new Admission(
        queue, serviceTime, open, () -> false, quota, SignListener.NONE, () -> {}, () -> {});
  }

  private Refusal refusal(Duration deadline) {
    return refusal(admission, deadline);
  }

  private static Refusal refusal(Admission admission, Duration deadline) {
    return refusal(admission, SampleRequests.withDeadline(deadline));
  }

  private static Refusal refusal(Admission admission, SignRequest request) {
    return catchThrowableOfType(
            RefusedException.class, () -> admission.admit(OpenAdmission.pending(request)))
        .refusal();
  }
}
