package org.keywell.signing.sign;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.keywell.ca.CertificateAuthority;
import org.keywell.ca.Certification;
import org.keywell.ca.CertificationRequest;
import org.keywell.ca.revocation.ListAnswer;
import org.keywell.ca.revocation.RevocationList;
import org.keywell.keypool.hsm.fake.Operation;
import org.keywell.settings.EmptyPoolPolicy;
import org.keywell.settings.PoolMode;
import org.keywell.signing.record.RecordsDatabase;
import org.keywell.signing.request.FailureReason;
import org.keywell.signing.request.RequestTimes.Stage;
import org.keywell.signing.request.SampleRequests;
import org.keywell.signing.request.SignOutcome;
import org.keywell.signing.request.SignRequest;

/** The handler by itself, called by the test as a handler thread calls it. */
@Tag("postgresql")
@Timeout(60)
final class SignHandlerTest {

  private final RecordsDatabase database = new RecordsDatabase();
  private final ServiceParts parts = new ServiceParts(database);

  @AfterEach
  void close() throws Exception {
    parts.close();
    database.close();
  }

  @Test
  void doesNothingIfNobodyCame() throws Exception {
    assertThat(parts.handler.handleNext(Duration.ZERO)).isFalse();
  }

  @Test
  void marksTheWholeOfTheProcessingAndMeasuresIt() throws Exception {
    parts.withKeys(1);
    PendingRequest pending = accepted(SampleRequests.any());

    assertThat(parts.handler.handleNext(Duration.ZERO)).isTrue();

    assertThat(pending.answer().get(20, SECONDS)).isInstanceOf(SignOutcome.Signed.class);
    for (Stage stage : Stage.values()) {
      assertThat(pending.times().at(stage)).as(stage.name()).isPresent();
    }
    assertThat(parts.serviceTime.nanos(DeviceParts.SPEC)).isPositive();
    assertThat(parts.atHand).hasValue(0);
  }

  @Test
  void anExpiredRequestDoesNotCountAsServiceTime() throws Exception {
    PendingRequest pending = accepted(SampleRequests.withDeadline(Duration.ofNanos(1)));

    parts.handler.handleNext(Duration.ZERO);

    assertThat(pending.answer().get(20, SECONDS)).isInstanceOf(SignOutcome.Expired.class);
    assertThat(parts.serviceTime.nanos(DeviceParts.SPEC)).isZero();
    assertThat(parts.atHand).hasValue(0);
  }

  @Test
  void aDefectIsAnOutcomeToo() throws Exception {
    PendingRequest pending = accepted(SampleRequests.unserved());

    assertThat(parts.handler.handleNext(Duration.ZERO)).isTrue();

    assertThat(pending.answer().get(20, SECONDS))
        .isInstanceOfSatisfying(
            SignOutcome.Failed.class,
            failed -> {
              assertThat(failed.reason()).isEqualTo(FailureReason.INTERNAL);
              assertThat(failed.detail()).isEqualTo("see the service's log");
            });
    assertThat(parts.atHand).hasValue(0);
  }

  /** The store may have keys of the first one's kind, and none has come yet. */
  @Test
  void aKindWithoutKeysDoesNotHoldUpAnother() throws Exception {
    parts.withKeys(2);
    SignRequest brief = SampleRequests.withDeadline(Duration.ofSeconds(2));
    PendingRequest waits = accepted(SampleRequests.of(DeviceParts.OTHER_SPEC, brief));
    PendingRequest first = accepted(SampleRequests.any());
    PendingRequest second = accepted(SampleRequests.any());

    assertThat(parts.handler.handleNext(Duration.ZERO)).isTrue();
    assertThat(parts.handler.handleNext(Duration.ZERO)).isTrue();

    assertThat(first.answer().get(20, SECONDS)).isInstanceOf(SignOutcome.Signed.class);
    assertThat(second.answer().get(20, SECONDS)).isInstanceOf(SignOutcome.Signed.class);
    assertThat(waits.times().at(Stage.REQUEST_START_TO_PROCESS)).isEmpty();
    assertThat(waits.answer()).isNotDone();

    parts.device.storeIsDry();
    assertThat(parts.handler.handleNext(Duration.ZERO)).isTrue();
    assertThat(waits.answer().get(20, SECONDS)).isInstanceOf(SignOutcome.Failed.class);
  }

  /** One whose kind has no key, and one whose kind has. */
  @Test
  void aKeyThatIsMadeForOneRequestHoldsUpNoOther() throws Exception {
    parts.device.storeIsDry();
    parts.withKeys(2).device.hsm.faults().hang(Operation.GENERATE);
    PendingRequest made = accepted(SampleRequests.of(DeviceParts.OTHER_SPEC, SampleRequests.any()));
    PendingRequest first = accepted(SampleRequests.any());
    HandlerThreads threads =
        new HandlerThreads(
            List.of(generating(SignHandler.Takes.WITH_KEY)),
            List.of(generating(SignHandler.Takes.WITHOUT_KEY)),
            parts.queue);
    threads.start();
    parts.device.hsm.faults().awaitHanging(Operation.GENERATE, 1);

    PendingRequest second = accepted(SampleRequests.any());

    assertThat(first.answer().get(20, SECONDS)).isInstanceOf(SignOutcome.Signed.class);
    assertThat(second.answer().get(20, SECONDS)).isInstanceOf(SignOutcome.Signed.class);
    assertThat(made.answer()).isNotDone();
    parts.device.hsm.faults().healAll();
    assertThat(made.answer().get(20, SECONDS))
        .isInstanceOfSatisfying(
            SignOutcome.Signed.class,
            signed -> assertThat(signed.keyUse().preGenerated()).isFalse());
    assertThat(threads.finish(RecordsDatabase.LIMIT)).isTrue();
    assertThat(parts.atHand).hasValue(0);
  }

  private SignHandler generating(SignHandler.Takes takes) {
    return parts.newHandler(takes, PoolMode.POOLED, EmptyPoolPolicy.GENERATE);
  }

  /** Its key would be spent for nothing if the database does not come back. */
  @Test
  void whileNothingCanBeRecordedOnlyWhatIsOverdueIsTaken() throws Exception {
    parts.withKeys(1);
    PendingRequest patient = accepted(SampleRequests.any());
    PendingRequest overdue = accepted(SampleRequests.withDeadline(Duration.ofNanos(1)));
    parts.dataSource.away(true);
    assertThat(parts.writer.received(SampleRequests.any(), SampleRequests.receivedNow()))
        .failsWithin(20, SECONDS);

    assertThat(parts.handler.handleNext(Duration.ZERO)).isTrue();
    assertThat(parts.handler.handleNext(Duration.ZERO)).isFalse();

    assertThat(overdue.times().at(Stage.REQUEST_FINISHED)).isPresent();
    assertThat(patient.times().at(Stage.REQUEST_START_TO_PROCESS)).isEmpty();
    assertThat(parts.device.loaded()).isEqualTo(1);
    parts.dataSource.away(false);
    await().until(() -> parts.handler.handleNext(Duration.ZERO));
    assertThat(patient.answer().get(20, SECONDS)).isInstanceOf(SignOutcome.Signed.class);
  }

  /** Such as a class that is missing from the deployment. */
  @Test
  void anErrorDoesNotEndTheThreadEither() throws Exception {
    parts.withKeys(1);
    CertificateAuthority broken =
        new CertificateAuthority() {
          @Override
          public Certification certify(CertificationRequest request) {
            throw new NoClassDefFoundError("a test");
          }

          @Override
          public boolean isValid() {
            return true;
          }

          @Override
          public Optional<Certification.Refused> prove() {
            return Optional.empty();
          }

          @Override
          public ListAnswer sign(RevocationList list) {
            return new ListAnswer.NotSigned("a test");
          }

          @Override
          public List<X509Certificate> chain() {
            return List.of();
          }
        };
    DeviceParts device = parts.device;
    KeySource keys = new KeySource(device.pools, PoolMode.POOLED, EmptyPoolPolicy.REFUSE);
    SignHandler handler =
        new SignHandler(
            SignHandler.Takes.WITH_KEY,
            parts.queue,
            new SigningCycle(
                keys, device.pools, DeviceParts.cas(broken), device.gate, device::tellLate),
            parts.writer,
            parts.serviceTime);
    PendingRequest pending = accepted(SampleRequests.any());

    assertThat(handler.handleNext(Duration.ZERO)).isTrue();

    assertThat(pending.answer().get(20, SECONDS)).isInstanceOf(SignOutcome.Failed.class);
    assertThat(device.hsm.countLiveKeys()).isZero();
    assertThat(parts.atHand).hasValue(0);
  }

  private PendingRequest accepted(SignRequest request) throws Exception {
    PendingRequest pending = new PendingRequest(request, SampleRequests.receivedNow());
    Admitted admitted = parts.admission.admit(pending);
    assertThat(parts.writer.received(request, pending.times()).get(20, SECONDS)).isTrue();
    admitted.enqueue();
    return pending;
  }
}
