package org.keywell.signing.sign;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.security.MessageDigest;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.Collections;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.keywell.ca.Certification;
import org.keywell.keypool.hsm.Destruction;
import org.keywell.keypool.hsm.HsmException.Reason;
import org.keywell.keypool.hsm.WrappedKey;
import org.keywell.keypool.hsm.fake.Operation;
import org.keywell.keypool.store.StoredKey;
import org.keywell.settings.EmptyPoolPolicy;
import org.keywell.settings.PoolMode;
import org.keywell.signing.ca.CaWatch;
import org.keywell.signing.request.Container;
import org.keywell.signing.request.FailureReason;
import org.keywell.signing.request.IssuedCertificate;
import org.keywell.signing.request.KeyUse;
import org.keywell.signing.request.RequestTimes;
import org.keywell.signing.request.RequestTimes.Stage;
import org.keywell.signing.request.SampleRequests;
import org.keywell.signing.request.SignOutcome;
import org.keywell.signing.request.SignRequest;
import org.keywell.signing.request.SigningForm;
import org.keywell.testkit.ManualTime;

@Timeout(30)
final class SigningCycleTest {

  private static final long CKR_DEVICE_ERROR = 0x30;

  private final DeviceParts device = new DeviceParts();
  private final ManualTime time = new ManualTime();
  private final SignRequest request = SampleRequests.any();
  private final RequestTimes times = new RequestTimes(time, time);
  private final SigningCycle refusing = device.cycle(PoolMode.POOLED, EmptyPoolPolicy.REFUSE);
  private final SigningCycle generating = device.cycle(PoolMode.POOLED, EmptyPoolPolicy.GENERATE);

  @Test
  void signsCertifiesAndDestroys() throws Exception {
    StoredKey stored = device.load();

    SignOutcome.Signed signed = signed(run(refusing, new PendingRequest(request, times)));

    assertThat(
            DeviceParts.verifies(
                stored.key().publicKey(),
                request.digests().getFirst(),
                signed.signatures().getFirst()))
        .isTrue();
    X509Certificate certificate = certificate(signed.issued());
    assertThat(certificate.getPublicKey().getEncoded()).isEqualTo(stored.key().publicKey());
    assertThat(certificate.getSerialNumber().toString(16)).isEqualTo(signed.issued().serial());
    assertThat(signed.keyUse().keyId()).isEqualTo(stored.id());
    assertThat(signed.keyUse().preGenerated()).isTrue();
    assertThat(signed.keyUse().destruction().returnValue()).isZero();
    assertNothingIsLive();
    for (Stage stage :
        new Stage[] {
          Stage.REQUEST_GOT_KEY_PAIR, Stage.SIGNED, Stage.CERTIFIED, Stage.KEY_DESTROYED
        }) {
      assertThat(times.at(stage)).isPresent();
    }
  }

  @Test
  void signsEachDigestOfItsActWithOneKey() throws Exception {
    StoredKey stored = device.load();
    SignRequest several = SampleRequests.of(new SigningForm.Bare(), 3);

    SignOutcome.Signed signed = signed(run(refusing, new PendingRequest(several, times)));

    assertThat(signed.signatures()).hasSize(3);
    assertThat(signed.signedAttributes()).isEmpty();
    for (int i = 0; i < 3; i++) {
      assertThat(
              DeviceParts.verifies(
                  stored.key().publicKey(), several.digests().get(i), signed.signatures().get(i)))
          .isTrue();
    }
    assertThat(device.ca.calls()).isEqualTo(1);
    assertNothingIsLive();
  }

  @Test
  void oneDigestThatIsNotSignedLeavesNone() throws Exception {
    StoredKey stored = device.load();
    device.hsm.faults().failAfter(2, Operation.SIGN, Reason.UNAVAILABLE);

    SignOutcome.Failed failed =
        failed(
            run(refusing, new PendingRequest(SampleRequests.of(new SigningForm.Bare(), 3), times)),
            FailureReason.HSM_UNAVAILABLE);

    assertDestroyed(failed, stored);
    assertThat(failed.issued()).isNull();
  }

  @ParameterizedTest
  @EnumSource(Container.class)
  void certifiesBeforeItSignsWhatNamesTheCertificate(Container container) throws Exception {
    StoredKey stored = device.load();
    SignRequest contained = SampleRequests.contained(container, 2);
    time.advancePerReading(Duration.ofMillis(1));

    SignOutcome.Signed signed = signed(run(refusing, new PendingRequest(contained, times)));

    assertThat(times.at(Stage.CERTIFIED).orElseThrow())
        .isBefore(times.at(Stage.SIGNED).orElseThrow());
    assertThat(device.hsm.faults().calls(Operation.SIGN))
        .as("a proof, two signatures")
        .isEqualTo(3);
    for (int i = 0; i < 2; i++) {
      byte[] attributes = signed.signedAttributes().get(i);
      assertThat(attributes)
          .isEqualTo(
              Containers.attributes(
                      contained, container, signed.issued(), times.at(Stage.CERTIFIED).get())
                  .get(i)
                  .der());
      assertThat(
              DeviceParts.verifies(
                  stored.key().publicKey(),
                  MessageDigest.getInstance("SHA-256").digest(attributes),
                  signed.signatures().get(i)))
          .isTrue();
    }
    assertNothingIsLive();
  }

  @Test
  void aKeyThatDoesNotProveItselfIsNotCertified() throws Exception {
    StoredKey stored = device.load();
    device.hsm.faults().failNext(Operation.SIGN, Reason.UNAVAILABLE, 1);

    SignOutcome.Failed failed =
        failed(
            run(refusing, new PendingRequest(contained(), times)), FailureReason.HSM_UNAVAILABLE);

    assertDestroyed(failed, stored);
    assertThat(failed.issued()).isNull();
    assertThat(device.ca.calls()).isZero();
  }

  @Test
  void aCertificateUnderWhichNothingIsSignedIsTold() throws Exception {
    StoredKey stored = device.load();
    device.hsm.faults().failAfter(2, Operation.SIGN, Reason.UNAVAILABLE);

    SignOutcome.Failed failed =
        failed(
            run(refusing, new PendingRequest(contained(), times)), FailureReason.HSM_UNAVAILABLE);

    assertDestroyed(failed, stored);
    IssuedCertificate issued = Objects.requireNonNull(failed.issued());
    assertThat(certificate(issued).getPublicKey().getEncoded()).isEqualTo(stored.key().publicKey());
    assertThat(times.at(Stage.SIGNED)).isEmpty();
  }

  @Test
  void aPublicKeyThatIsNotThePrivateKeysIsNotCertifiedBeforeItSignsEither() throws Exception {
    WrappedKey own = device.wrapped();
    StoredKey swapped =
        device.load(
            new WrappedKey(
                own.spec(),
                own.wrappingKeyId(),
                own.wrapMechanism(),
                device.wrapped().publicKey(),
                own.wrappedPrivateKey()));

    SignOutcome.Failed failed =
        failed(run(refusing, new PendingRequest(contained(), times)), FailureReason.KEY_REFUSED);

    assertDestroyed(failed, swapped);
    assertThat(device.hsm.faults().calls(Operation.SIGN)).as("the proof alone").isEqualTo(1);
  }

  @Test
  void whatIsNoPublicKeyIsRefusedAsByTheCa() throws Exception {
    WrappedKey own = device.wrapped();
    StoredKey broken =
        device.load(
            new WrappedKey(
                own.spec(),
                own.wrappingKeyId(),
                own.wrapMechanism(),
                new byte[] {1, 2, 3},
                own.wrappedPrivateKey()));

    assertDestroyed(
        failed(run(refusing, new PendingRequest(contained(), times)), FailureReason.KEY_REFUSED),
        broken);
    assertThat(device.ca.calls()).isZero();
  }

  private static SignRequest contained() {
    return SampleRequests.contained(Container.CADES_BASELINE_B, 2);
  }

  private static X509Certificate certificate(IssuedCertificate issued) throws Exception {
    return (X509Certificate)
        CertificateFactory.getInstance("X.509")
            .generateCertificate(new ByteArrayInputStream(issued.certificate()));
  }

  /** The CA looks at the first, and nobody else at the others. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3})
  void oneSignatureThatDoesNotVerifyLeavesNone(int wrong) throws Exception {
    StoredKey stored = device.load();
    device.hsm.faults().garble(call -> call == wrong);

    SignOutcome.Failed failed =
        failed(
            run(refusing, new PendingRequest(SampleRequests.of(new SigningForm.Bare(), 3), times)),
            wrong == 1 ? FailureReason.KEY_REFUSED : FailureReason.HSM_UNAVAILABLE);

    assertDestroyed(failed, stored);
    assertThat(failed.issued()).isNull();
    assertThat(device.ca.calls()).isEqualTo(wrong == 1 ? 1 : 0);
    assertThat(device.pools.devices().getFirst().wrongSignatures()).isEqualTo(1);
  }

  /** A swapped public key is an alarm, however many digests there are. */
  @Test
  void severalSignaturesOfAnotherKeyAreNotTheDevicesFault() throws Exception {
    WrappedKey own = device.wrapped();
    StoredKey swapped =
        device.load(
            new WrappedKey(
                own.spec(),
                own.wrappingKeyId(),
                own.wrapMechanism(),
                device.wrapped().publicKey(),
                own.wrappedPrivateKey()));

    assertDestroyed(
        failed(
            run(refusing, new PendingRequest(SampleRequests.of(new SigningForm.Bare(), 3), times)),
            FailureReason.KEY_REFUSED),
        swapped);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3})
  void oneContainedSignatureThatDoesNotVerifyLeavesNone(int wrong) throws Exception {
    StoredKey stored = device.load();
    device.hsm.faults().garble(call -> call == wrong);

    SignOutcome.Failed failed =
        failed(
            run(refusing, new PendingRequest(contained(), times)),
            wrong == 1 ? FailureReason.KEY_REFUSED : FailureReason.HSM_UNAVAILABLE);

    assertDestroyed(failed, stored);
    assertThat(failed.issued() != null).as("certified after its proof").isEqualTo(wrong > 1);
    assertThat(times.at(Stage.SIGNED)).isEmpty();
    assertThat(device.pools.devices().getFirst().wrongSignatures()).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 3})
  void oneSignatureOfAnOpenActThatDoesNotVerifyLeavesNone(int wrong) throws Exception {
    StoredKey stored = device.load();
    device.hsm.faults().garble(call -> call == wrong);
    PendingRequest opening =
        new PendingRequest(
            SampleRequests.of(new SigningForm.InTwoCalls(2, Duration.ofMinutes(1)), 0), times);
    assertThat(run(refusing, opening)).isInstanceOf(SignOutcome.Opened.class);

    SignOutcome.Failed failed =
        failed(
            run(
                refusing,
                new PendingRequest(
                    SampleRequests.of(new SigningForm.InTwoCalls(2, Duration.ofMinutes(1)), 2),
                    opening,
                    SampleRequests.receivedNow())),
            FailureReason.HSM_UNAVAILABLE);

    assertDestroyed(failed, stored);
    assertThat(failed.issued()).as("on record as unused").isNotNull();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void aDeviceThatSignsWronglySpendsFewKeys(int wrongOfTwo) throws Exception {
    for (int i = 0; i < 20; i++) {
      device.load();
    }
    device.hsm.faults().garble(call -> call % 2 == wrongOfTwo % 2);

    for (int i = 0; i < 20; i++) {
      assertThat(
              run(
                  refusing,
                  new PendingRequest(
                      SampleRequests.of(new SigningForm.Bare(), 2), SampleRequests.receivedNow())))
          .isInstanceOf(SignOutcome.Failed.class);
    }

    assertThat(device.loaded()).isEqualTo(15);
    device.hsm.faults().healAll();
    device.hsm.prove(handle -> device.hsm.destroy(handle));
    signed(run(refusing, new PendingRequest(SampleRequests.any(), SampleRequests.receivedNow())));
  }

  @Test
  void aDeviceThatDoesNotSignSpendsTheKey() throws Exception {
    StoredKey stored = device.load();
    device.hsm.faults().fail(Operation.SIGN, Reason.UNAVAILABLE);

    SignOutcome.Failed failed =
        failed(run(refusing, new PendingRequest(request, times)), FailureReason.HSM_UNAVAILABLE);

    assertDestroyed(failed, stored);
    assertThat(device.ca.calls()).isZero();
    assertThat(times.at(Stage.SIGNED)).isEmpty();
  }

  @Test
  void aPublicKeyThatIsNotThePrivateKeysIsNotCertified() throws Exception {
    WrappedKey own = device.wrapped();
    WrappedKey intruders = device.wrapped();
    StoredKey swapped =
        device.load(
            new WrappedKey(
                own.spec(),
                own.wrappingKeyId(),
                own.wrapMechanism(),
                intruders.publicKey(),
                own.wrappedPrivateKey()));

    SignOutcome.Failed failed =
        failed(run(refusing, new PendingRequest(request, times)), FailureReason.KEY_REFUSED);

    assertDestroyed(failed, swapped);
    assertThat(times.at(Stage.CERTIFIED)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "POSSESSION_NOT_PROVEN, KEY_REFUSED",
    "KEY_NOT_ALLOWED, KEY_REFUSED",
    "PROFILE_UNKNOWN, INTERNAL",
    "SUBJECT_NOT_ALLOWED, INTERNAL",
    "CA_UNAVAILABLE, CA_UNAVAILABLE",
    "CA_SIGNATURE_WRONG, CA_UNAVAILABLE"
  })
  void aRefusalOfTheCaSpendsTheKey(Certification.Reason reason, FailureReason type)
      throws Exception {
    StoredKey stored = device.load();
    device.ca.refuse(reason);

    assertDestroyed(failed(run(refusing, new PendingRequest(request, times)), type), stored);
  }

  @Test
  void aCaThatIsNotValidSpendsNoKey() throws Exception {
    device.load();
    device.ca.refuse(Certification.Reason.CA_NOT_VALID);

    SignOutcome.Failed failed =
        failed(run(refusing, new PendingRequest(request, times)), FailureReason.CA_UNAVAILABLE);

    assertThat(failed.keyUse()).isNull();
    assertThat(device.loaded()).isEqualTo(1);
    device.ca.recover();
    signed(run(refusing, new PendingRequest(SampleRequests.any(), times)));
  }

  @Test
  void aCaThatFailsSpendsFewKeys() throws Exception {
    for (int i = 0; i < 20; i++) {
      device.load();
    }
    device.ca.refuse(Certification.Reason.CA_UNAVAILABLE);

    for (int i = 0; i < 20; i++) {
      failed(
          run(refusing, new PendingRequest(SampleRequests.any(), times)),
          FailureReason.CA_UNAVAILABLE);
    }

    assertThat(device.loaded()).isEqualTo(15);
    assertThat(device.ca.calls()).isEqualTo(CaWatch.FAILURES);
  }

  /** Each may be past the gate when it closes. */
  @Test
  void threadsThatShareAFailingCaSpendOneKeyMoreEachAtTheMost() throws Exception {
    int threads = 4;
    for (int i = 0; i < 200; i++) {
      device.load();
    }
    device.ca.refuse(Certification.Reason.CA_UNAVAILABLE);
    Callable<SignOutcome> work =
        () -> {
          SignOutcome last = new SignOutcome.Expired();
          for (int i = 0; i < 50; i++) {
            last =
                run(
                    refusing,
                    new PendingRequest(SampleRequests.any(), SampleRequests.receivedNow()));
          }
          return last;
        };

    try (ExecutorService pool = Executors.newFixedThreadPool(threads)) {
      for (Future<SignOutcome> end : pool.invokeAll(Collections.nCopies(threads, work))) {
        failed(end.get(), FailureReason.CA_UNAVAILABLE);
      }
    }

    assertThat(device.ca.calls()).isBetween(CaWatch.FAILURES, CaWatch.FAILURES + threads - 1);
    assertThat(device.loaded()).isEqualTo(200 - device.ca.calls());
  }

  @Test
  void aDeviceThatIsDownSpendsNoKey() throws Exception {
    device.load();
    device.hsm.faults().down("C_Sign returned CKR_DEVICE_ERROR (0x30)");

    SignOutcome.Failed failed =
        failed(run(refusing, new PendingRequest(request, times)), FailureReason.HSM_UNAVAILABLE);

    assertThat(failed.keyUse()).isNull();
    assertThat(device.hsm.faults().calls(Operation.SIGN)).isZero();
    assertThat(device.loaded()).isEqualTo(1);
    device.hsm.faults().up();
    signed(run(refusing, new PendingRequest(SampleRequests.any(), times)));
  }

  @Test
  void aCaThatThrowsSpendsTheKeyAndItsEndIsTold() throws Exception {
    StoredKey stored = device.load();
    device.ca.fail(new IllegalStateException("a defect"));

    SignOutcome.Failed failed =
        failed(run(refusing, new PendingRequest(request, times)), FailureReason.INTERNAL);

    assertDestroyed(failed, stored);
    assertThat(failed.detail()).doesNotContain("a defect");
  }

  @Test
  void aKeyThatIsNotDestroyedIsAnOrphanAndItsReturnValueIsKept() throws Exception {
    device.load();
    device.hsm.faults().destroyReturns(CKR_DEVICE_ERROR);

    SignOutcome.Signed signed = signed(run(refusing, new PendingRequest(request, times)));

    assertThat(signed.keyUse().destruction().returnValue()).isEqualTo(CKR_DEVICE_ERROR);
    assertThat(device.pools.orphans()).isEqualTo(1);
  }

  @Test
  void theLaterEndOfAKeyIsToldOnceWithItsRequest() throws Exception {
    device.load();
    device.hsm.faults().destroyReturns(CKR_DEVICE_ERROR);
    signed(run(refusing, new PendingRequest(request, times)));
    device.retryOrphans();
    assertThat(device.late).as("refused again").isEmpty();

    device.hsm.faults().healAll();
    device.retryOrphans();
    device.retryOrphans();

    assertThat(device.late)
        .containsExactly(new DeviceParts.Late(request.requestId(), Destruction.DONE));
    assertThat(times.at(Stage.KEY_DESTROYED)).as("of the cycle itself").isEmpty();
    assertNothingIsLive();
  }

  @Test
  void theLaterEndOfAKeyThatWasMadeInVainIsToldToo() throws Exception {
    device.storeIsDry();
    device.hsm.faults().destroyReturns(CKR_DEVICE_ERROR);
    SignRequest brief = SampleRequests.withDeadline(Duration.ofMillis(2_500));
    time.advancePerReading(Duration.ofSeconds(1));
    SignOutcome _ =
        run(
            device.cycle(PoolMode.ON_THE_FLY, EmptyPoolPolicy.REFUSE),
            new PendingRequest(brief, new RequestTimes(time, time)));

    device.hsm.faults().healAll();
    device.retryOrphans();

    assertThat(device.late)
        .containsExactly(new DeviceParts.Late(brief.requestId(), Destruction.DONE));
  }

  /** The end of a key that is gone by itself is an end as well. */
  @Test
  void thatAKeyDiedWithItsSessionsIsTold() throws Exception {
    device.load();
    device.hsm.faults().destroyReturns(CKR_DEVICE_ERROR);
    signed(run(refusing, new PendingRequest(request, times)));

    device.hsm.faults().destroyReturns(Destruction.EPOCH_ENDED.returnValue());
    device.retryOrphans();

    assertThat(device.late)
        .containsExactly(new DeviceParts.Late(request.requestId(), Destruction.EPOCH_ENDED));
  }

  @Test
  void ofAKeyThatIsDestroyedAtOnceNothingMoreIsTold() throws Exception {
    device.load();
    signed(run(refusing, new PendingRequest(request, times)));
    device.retryOrphans();

    assertThat(device.late).isEmpty();
  }

  @Test
  void destroysAlsoIfSigningAndDestroyingFail() throws Exception {
    device.load();
    device.hsm.faults().fail(Operation.SIGN, Reason.SESSION_LOST);
    device.hsm.faults().fail(Operation.DESTROY, Reason.SESSION_LOST);

    SignOutcome.Failed failed =
        failed(run(refusing, new PendingRequest(request, times)), FailureReason.HSM_UNAVAILABLE);

    assertThat(keyUse(failed).destruction().returnValue()).isEqualTo(-1);
    assertThat(device.pools.orphans()).isEqualTo(1);
  }

  @Test
  void aDeadlineThatPassedSpendsNoKey() throws Exception {
    device.load();
    time.advance(SampleRequests.DEADLINE);

    assertThat(run(refusing, new PendingRequest(request, times)))
        .isInstanceOf(SignOutcome.Expired.class);
    assertThat(device.loaded()).isEqualTo(1);
    assertThat(times.at(Stage.REQUEST_GOT_KEY_PAIR)).isEmpty();
  }

  @Test
  void aDeadlineThatPassesWhileAKeyIsLeasedReturnsItUnused() throws Exception {
    device.load();
    SignRequest brief = SampleRequests.withDeadline(Duration.ofMillis(2_500));
    time.advancePerReading(Duration.ofSeconds(1));

    assertThat(run(refusing, new PendingRequest(brief, times)))
        .isInstanceOf(SignOutcome.Expired.class);
    assertThat(times.at(Stage.REQUEST_GOT_KEY_PAIR)).isPresent();
    assertThat(device.loaded()).isEqualTo(1);
    assertThat(device.hsm.faults().calls(Operation.SIGN)).isZero();
    assertThat(device.hsm.countLiveKeys()).isEqualTo(1);
  }

  @Test
  void anEmptyPoolRefuses() throws Exception {
    device.storeIsDry();

    SignOutcome.Failed failed =
        failed(run(refusing, new PendingRequest(request, times)), FailureReason.POOL_EMPTY);

    assertThat(failed.keyUse()).isNull();
    assertThat(failed.detail()).contains("EC-P256");
  }

  /** The pool is not empty then; the device has failed that was waited for. */
  @Test
  void whoWaitsForAKeyWhileTheDeviceGoesDownIsToldSo() throws Exception {
    PendingRequest pending = new PendingRequest(request, times);
    assertThat(refusing.start(pending)).as("it is to wait").isNull();

    device.hsm.faults().down("C_Sign returned CKR_DEVICE_ERROR (0x30)");

    failed(run(refusing, pending), FailureReason.HSM_UNAVAILABLE);
  }

  @Test
  void anEmptyPoolGenerates() throws Exception {
    device.storeIsDry();

    SignOutcome.Signed signed = signed(run(generating, new PendingRequest(request, times)));

    assertThat(signed.keyUse().preGenerated()).isFalse();
    assertNothingIsLive();
  }

  @Test
  void doesNotGenerateForARequestWhoseTimeIsUp() throws Exception {
    device.storeIsDry();
    SignRequest brief = SampleRequests.withDeadline(Duration.ofMillis(2_500));
    time.advancePerReading(Duration.ofSeconds(1));

    assertThat(run(generating, new PendingRequest(brief, times)))
        .isInstanceOf(SignOutcome.Expired.class);
    assertThat(device.hsm.faults().calls(Operation.GENERATE)).isZero();
  }

  @Test
  void aKeyThatWasMadeInVainIsDestroyedOnRecord() throws Exception {
    device.storeIsDry();
    SignRequest brief = SampleRequests.withDeadline(Duration.ofMillis(2_500));
    time.advancePerReading(Duration.ofSeconds(1));
    SigningCycle traditional = device.cycle(PoolMode.ON_THE_FLY, EmptyPoolPolicy.REFUSE);

    SignOutcome expired = run(traditional, new PendingRequest(brief, times));

    assertThat(device.hsm.faults().calls(Operation.GENERATE)).isEqualTo(1);
    assertThat(expired).isInstanceOf(SignOutcome.Expired.class);
    KeyUse use = keyUse(expired);
    assertThat(use.preGenerated()).isFalse();
    assertThat(use.destruction().returnValue()).isZero();
    assertThat(times.at(Stage.KEY_DESTROYED)).isPresent();
    assertNothingIsLive();
  }

  @Test
  void aFilledPoolIsPreferredToGenerating() throws Exception {
    device.load();

    assertThat(signed(run(generating, new PendingRequest(request, times))).keyUse().preGenerated())
        .isTrue();
    assertThat(device.hsm.faults().calls(Operation.GENERATE)).isZero();
  }

  @Test
  void theTraditionalSystemLeavesThePoolAlone() throws Exception {
    device.load();
    SigningCycle traditional = device.cycle(PoolMode.ON_THE_FLY, EmptyPoolPolicy.REFUSE);

    assertThat(signed(run(traditional, new PendingRequest(request, times))).keyUse().preGenerated())
        .isFalse();
    assertThat(device.loaded()).isEqualTo(1);
    assertThat(device.hsm.countLiveKeys()).isEqualTo(1);
  }

  @Test
  void aDeviceThatDoesNotGenerateIsUnavailable() throws Exception {
    device.storeIsDry();
    device.hsm.faults().fail(Operation.GENERATE, Reason.EXHAUSTED);

    assertThat(
            failed(
                    run(generating, new PendingRequest(request, times)),
                    FailureReason.HSM_UNAVAILABLE)
                .keyUse())
        .isNull();
  }

  @Test
  void tooManyOrphansStopSigningUntilTheyAreGone() throws Exception {
    device.hsm.faults().destroyReturns(CKR_DEVICE_ERROR);
    for (int i = 0; i < DeviceParts.MAX_ORPHANS; i++) {
      device.makeAndDestroy();
    }
    device.load();

    SignOutcome.Failed failed =
        failed(run(refusing, new PendingRequest(request, times)), FailureReason.ORPHAN_LIMIT);
    assertThat(failed.detail()).isEqualTo("keywell.pool.max-orphans is reached: 2");
    assertThat(device.loaded()).isEqualTo(1);

    // Requests wait for this thread, so others try them again.
    long tries = device.hsm.faults().calls(Operation.DESTROY);
    device.hsm.faults().destroyReturns(0);
    failed(
        run(refusing, new PendingRequest(SampleRequests.any(), times)), FailureReason.ORPHAN_LIMIT);
    assertThat(device.hsm.faults().calls(Operation.DESTROY)).isEqualTo(tries);
    device.retryOrphans();
    signed(run(refusing, new PendingRequest(SampleRequests.any(), times)));
  }

  private static SignOutcome run(SigningCycle cycle, PendingRequest pending) {
    @Nullable Start start = cycle.start(pending);
    if (start == null && cycle.way(pending) == KeySource.Way.MAKE) {
      start = Start.Plain.MAKE_KEY;
    }
    return cycle.run(pending, Objects.requireNonNull(start));
  }

  private void assertDestroyed(SignOutcome.Failed failed, StoredKey stored) {
    assertThat(keyUse(failed).keyId()).isEqualTo(stored.id());
    assertThat(keyUse(failed).destruction().returnValue()).isZero();
    assertThat(times.at(Stage.KEY_DESTROYED)).isPresent();
    assertNothingIsLive();
  }

  private void assertNothingIsLive() {
    assertThat(device.hsm.countLiveKeys()).isZero();
    assertThat(device.pools.orphans()).isZero();
    assertThat(device.loaded()).isZero();
  }

  private static KeyUse keyUse(SignOutcome outcome) {
    @Nullable KeyUse use = outcome.keyUse();
    if (use == null) {
      throw new AssertionError("no key was spent");
    }
    return use;
  }

  private static SignOutcome.Signed signed(SignOutcome outcome) {
    assertThat(outcome).isInstanceOf(SignOutcome.Signed.class);
    return (SignOutcome.Signed) outcome;
  }

  private static SignOutcome.Failed failed(SignOutcome outcome, FailureReason reason) {
    assertThat(outcome).isInstanceOf(SignOutcome.Failed.class);
    SignOutcome.Failed failed = (SignOutcome.Failed) outcome;
    assertThat(failed.reason()).isEqualTo(reason);
    return failed;
  }
}
