package org.keywell.service.sign;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.keywell.service.problem.Problem;
import org.keywell.service.problem.ProblemException;
import org.keywell.service.problem.ProblemType;
import org.keywell.service.request.SampleRequests;

final class AdmissionTest {

  private final SignRequestQueue queue = new SignRequestQueue(2);
  private final ServiceTime serviceTime = new ServiceTime(1);
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

    Problem refusal = refusal(Duration.ofSeconds(30));

    assertThat(refusal.type()).isEqualTo(ProblemType.QUEUE_FULL);
    assertThat(refusal.detail()).isEqualTo("keywell.sign.queue-limit is reached: 2");
    assertThat(refusal.retryAfter()).isNotNull();
    assertThat(queue.length()).isEqualTo(2);
  }

  @Test
  void aWaitBeyondTheDeadlineIsRefusedAtOnce() {
    serviceTime.add(Duration.ofSeconds(5));
    admission.admit(OpenAdmission.pending(SampleRequests.any()));

    Problem refusal = refusal(Duration.ofSeconds(4));

    assertThat(refusal.type()).isEqualTo(ProblemType.WAIT_TOO_LONG);
    assertThat(refusal.detail()).contains("5000 ms").contains("4000 ms");
    assertThat(refusal.retryAfter()).isEqualTo(Duration.ofSeconds(1));
    assertThat(queue.length()).isEqualTo(1);
    admission.admit(OpenAdmission.pending(SampleRequests.withDeadline(Duration.ofSeconds(5))));
  }

  @Test
  void anEmptyQueueAdmitsHoweverSlowTheLastOnesWere() {
    serviceTime.add(Duration.ofHours(1));

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

    assertThat(refusal(Duration.ofSeconds(30)).type()).isEqualTo(ProblemType.SHUTTING_DOWN);
    assertThat(queue.length()).isZero();
  }

  @ParameterizedTest
  @CsvSource({
    "true, false, true, HSM, HSM_UNAVAILABLE",
    "false, true, true, CA, CA_UNAVAILABLE",
    "false, false, false, CA, CA_UNAVAILABLE"
  })
  void aDeviceOrCaThatFailsIsRefusedAtTheDoor(
      boolean hsmIsDown,
      boolean caIsDown,
      boolean caIsValid,
      AdmissionLimit limit,
      ProblemType type) {
    AtomicBoolean fails = new AtomicBoolean(true);
    SigningGate gate =
        new SigningGate(
            () -> fails.get() && hsmIsDown,
            () -> fails.get() && caIsDown,
            () -> !fails.get() || caIsValid);
    Admission guarded =
        new Admission(queue, serviceTime, gate, () -> false, SignListener.NONE, () -> {}, () -> {});

    Problem refusal = refusal(guarded, Duration.ofSeconds(30));

    assertThat(refusal.type()).isEqualTo(type);
    assertThat(refusal.retryAfter()).isNotNull();
    assertThat(gate.closed().orElseThrow().limit()).isEqualTo(limit);
    assertThat(queue.length()).isZero();
    fails.set(false);
    guarded.admit(OpenAdmission.pending(SampleRequests.any()));
  }

  @Test
  void whatCannotBeRecordedIsRefusedAtTheDoor() {
    AtomicBoolean stuck = new AtomicBoolean(true);
    SigningGate open = new SigningGate(() -> false, () -> false, () -> true);
    Admission guarded =
        new Admission(queue, serviceTime, open, stuck::get, SignListener.NONE, () -> {}, () -> {});

    Problem refusal = refusal(guarded, Duration.ofSeconds(30));

    assertThat(refusal.type()).isEqualTo(ProblemType.RECORD_UNAVAILABLE);
    assertThat(refusal.retryAfter()).isNotNull();
    assertThat(queue.length()).isZero();
    stuck.set(false);
    guarded.admit(OpenAdmission.pending(SampleRequests.any()));
  }

  private Problem refusal(Duration deadline) {
    return refusal(admission, deadline);
  }

  private static Problem refusal(Admission admission, Duration deadline) {
    return catchThrowableOfType(
            ProblemException.class,
            () -> admission.admit(OpenAdmission.pending(SampleRequests.withDeadline(deadline))))
        .problem();
  }
}
