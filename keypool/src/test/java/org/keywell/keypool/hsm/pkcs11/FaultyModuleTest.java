package org.keywell.keypool.hsm.pkcs11;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.keywell.keypool.hsm.Destruction;
import org.keywell.keypool.hsm.DigestAlgorithm;
import org.keywell.keypool.hsm.HsmException;
import org.keywell.keypool.hsm.HsmException.Reason;
import org.keywell.keypool.hsm.KeyHandle;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.keypool.hsm.LiveKeyPair;
import org.keywell.keypool.hsm.SignatureScheme;
import org.keywell.keypool.hsm.TokenData;
import org.keywell.keypool.hsm.WrappedKey;
import org.keywell.testkit.Fault;
import org.keywell.testkit.FaultyModule;

/**
 * Each fault of the module, as the binding sees it: other tests rely on it. What the binding mends
 * by itself is seen in a session of the test's own.
 */
@Tag("softhsm")
@Timeout(60)
final class FaultyModuleTest {
  private static final long CKR_DEVICE_ERROR = 0x30;
  private static final long CKR_DEVICE_MEMORY = 0x31;
  private static final long CKR_DEVICE_REMOVED = 0x32;
  private static final long CKR_OBJECT_HANDLE_INVALID = 0x82;

  private final FaultyModule module;
  private final SoftHsmToken token;
  private final Pkcs11Hsm hsm;
  private final KeyHandle key;

  FaultyModuleTest(@TempDir Path directory) {
    module = FaultyModule.create(directory);
    token = SoftHsmToken.create(module.path());
    hsm = token.open();
    key = unwrapNew();
  }

  @AfterEach
  void close() {
    module.close();
    hsm.close();
  }

  @ParameterizedTest
  @EnumSource(
      value = SignatureScheme.class,
      names = {"RSASSA_PKCS1_V1_5", "RSASSA_PSS"})
  void aWrongSignatureOfAManagedKeyDoesNotLeave(SignatureScheme scheme) {
    Pkcs11Config config = token.addManagedWrappingKey("managed");
    try (Pkcs11Hsm managed = Pkcs11Hsm.open(config, token::pin)) {
      WrappedKey pair = wrapNew(managed, KeySpec.RSA_2048);
      Supplier<byte[]> signing =
          () -> managed.managedKeys().sign(pair, scheme, DigestAlgorithm.SHA_256, new byte[32]);
      module.inject("C_Sign", Fault.corrupting().times(1));

      assertThatExceptionOfType(HsmException.class)
          .isThrownBy(signing::get)
          .withMessage("C_Sign returned a signature that does not verify");
      assertThat(signing.get()).hasSize(256);
    }
  }

  /** Found by an attempt, over with a proof; what lives in the device is not touched. */
  @ParameterizedTest
  @ValueSource(strings = {"C_UnwrapKey", "C_GenerateKeyPair"})
  void aDeviceWithoutRoomIsFullUntilAProofShowsThatItHasSome(String function) {
    WrappedKey wrapped = wrapNew(hsm);
    module.inject(function, Fault.returning(CKR_DEVICE_MEMORY));
    assertThatExceptionOfType(HsmException.class)
        .isThrownBy(() -> {
          hsm.unwrap(wrapped);
          hsm.generate(KeySpec.EC_P256);
        })
        .satisfies(e -> assertThat(e.reason()).isEqualTo(Reason.FULL));
    assertThat(hsm.isFullToUnwrap()).isEqualTo(function.equals("C_UnwrapKey"));
    assertThat(hsm.isFullToGenerate()).isEqualTo(function.equals("C_GenerateKeyPair"));
    assertThatExceptionOfType(HsmException.class).isThrownBy(() -> hsm.prove(hsm::destroy));
    assertThat(hsm.failsToSign()).isFalse();

    module.clear(function);
    hsm.prove(hsm::destroy);

    assertThat(hsm.isFullToUnwrap()).isFalse();
    assertThat(hsm.isFullToGenerate()).isFalse();
  }

  /** As when another instance replaces it between the search and the reading. */
  @Test
  void aDataObjectThatGoesWhileItIsReadIsSearchedAgain() {
    TokenData data = new TokenData("keywell-test", new byte[] {1});
    hsm.keepData(data);

    module.inject("C_GetAttributeValue", Fault.returning(CKR_OBJECT_HANDLE_INVALID).times(1));
    assertThat(hsm.data("keywell-test")).extracting(TokenData::name).containsExactly(data.name());

    module.inject("C_GetAttributeValue", Fault.returning(CKR_OBJECT_HANDLE_INVALID));
    assertThat(failure(() -> hsm.data("keywell-test")).returnValue())
        .as("one that always goes")
        .isEqualTo(CKR_OBJECT_HANDLE_INVALID);
  }

  private KeyHandle unwrapNew() {
    return hsm.unwrap(wrapNew(hsm));
  }

  private static WrappedKey wrapNew(Pkcs11Hsm hsm) {
    return wrapNew(hsm, KeySpec.EC_P256);
  }

  private static WrappedKey wrapNew(Pkcs11Hsm hsm, KeySpec spec) {
    LiveKeyPair pair = hsm.generateExtractable(spec);
    WrappedKey wrapped = hsm.wrap(pair);
    assertThat(hsm.destroy(pair.privateKey())).isEqualTo(Destruction.DONE);
    return wrapped;
  }

  private static byte[] signIn(Pkcs11Hsm hsm, KeyHandle key) {
    return hsm.sign(key, SignatureScheme.ECDSA, DigestAlgorithm.SHA_256, new byte[32]);
  }

  private byte[] sign() {
    return signIn(hsm, key);
  }

  private static HsmException failure(Runnable call) {
    return assertThatExceptionOfType(HsmException.class).isThrownBy(call::run).actual();
  }

  private CryptokiLibrary library() {
    return CryptokiLibrary.load(module.path(), Optional.empty());
  }

  /** A session that nobody replaces. */
  private Session ownSession() {
    return Session.open(library().functions(), hsm.slotId());
  }

  private long beginToSign(Session session, KeyHandle with) {
    MemorySegment mechanism =
        new Mechanisms(library().brand()).signing(SignatureScheme.ECDSA, DigestAlgorithm.SHA_256);
    return session.functions().signInit(session.handle(), mechanism, with.value());
  }

  private KeyHandle generateIn(Session session) {
    KeyPairGeneration generation =
        new KeyPairGeneration(
            new Mechanisms(library().brand()),
            hsm.epoch(),
            left -> {
              throw new AssertionError(left);
            });
    try (Arena arena = Arena.ofConfined()) {
      KeyTemplates templates = KeyTemplates.of(KeySpec.EC_P256, library().brand(), arena);
      return generation
          .generate(session, KeySpec.EC_P256, templates.publicKey(), templates.privateKey())
          .privateKey();
    }
  }

  private static void assertGone(Session session) {
    assertThat(failure(session::requireUserLoggedIn).returnValue())
        .isEqualTo(ReturnValue.CKR_SESSION_HANDLE_INVALID.code());
  }

  @Test
  void aChosenReturnValueArrives() {
    module.inject("C_Sign", Fault.returning(CKR_DEVICE_ERROR));

    HsmException failure = failure(this::sign);

    assertThat(failure.returnValue()).isEqualTo(CKR_DEVICE_ERROR);
    assertThat(failure.reason()).isEqualTo(Reason.UNAVAILABLE);
    assertThat(module.faults("C_Sign")).isEqualTo(1);
    module.clear("C_Sign");
    for (int i = 0; i < 2 * token.config().maxSessions(); i++) {
      assertThat(sign()).as("in each session").isNotEmpty();
    }
  }

  @Test
  void aFaultHitsThoseCallsOnlyThatItIsToldTo() {
    long before = module.calls("C_GetTokenInfo");
    module.inject("C_GetTokenInfo", Fault.returning(CKR_DEVICE_ERROR).after(1).every(2).times(2));
    StringBuilder hits = new StringBuilder();

    for (int i = 0; i < 8; i++) {
      try {
        hsm.probe();
        hits.append('.');
      } catch (HsmException e) {
        hits.append('x');
      }
    }

    assertThat(hits).hasToString("..x.x...");
    assertThat(module.calls("C_GetTokenInfo") - before).isEqualTo(8);
    assertThat(module.faults("C_GetTokenInfo")).isEqualTo(2);
  }

  /** Such as a destruction of which the answer was lost. */
  @Test
  void aFaultMayComeAfterTheWork() {
    module.inject("C_DestroyObject", Fault.returning(CKR_DEVICE_ERROR).afterTheWork().times(1));

    assertThat(hsm.destroy(key)).isEqualTo(new Destruction(CKR_DEVICE_ERROR));

    assertThat(hsm.countLiveKeys()).isZero();
  }

  @Test
  void aDelayLastsAsLongAsItIsTold() {
    module.inject("C_GetTokenInfo", Fault.delayedBy(Duration.ofMillis(150)).times(1));
    long began = System.nanoTime();

    hsm.probe();

    assertThat(Duration.ofNanos(System.nanoTime() - began)).isGreaterThan(Duration.ofMillis(149));
  }

  @Test
  void aCallHangsUntilItIsReleased() throws Exception {
    module.inject("C_Sign", Fault.hanging().times(1));

    CompletableFuture<byte[]> hanging = CompletableFuture.supplyAsync(this::sign);
    while (hsm.health().oldestCall().compareTo(Duration.ofMillis(200)) < 0) {
      Thread.sleep(10);
    }
    assertThat(hanging).isNotDone();
    sign();

    module.clear("C_Sign");
    assertThat(hanging.get(10, TimeUnit.SECONDS)).isNotEmpty();
  }

  /** What hung while its session was lost must not end in the session that has its number now. */
  @Test
  void aCallThatHangsWhileSessionsAreLostFails() throws Exception {
    Session own = ownSession();
    CompletableFuture<Long> hanging = hangInSignInit(() -> beginToSign(own, key));

    module.failOver();
    try (Pkcs11Hsm again = token.open()) {
      assertThat(again.unwrap(wrapNew(again))).isNotNull();
      module.clear("C_SignInit");

      assertThat(hanging.get(10, TimeUnit.SECONDS))
          .isEqualTo(ReturnValue.CKR_SESSION_HANDLE_INVALID.code());
    }
  }

  private <T> CompletableFuture<T> hangInSignInit(Supplier<T> call) throws Exception {
    module.inject("C_SignInit", Fault.hanging().times(1));
    CompletableFuture<T> hanging = CompletableFuture.supplyAsync(call);
    while (module.faults("C_SignInit") == 0) {
      Thread.sleep(1);
    }
    return hanging;
  }

  /** As above, but by the binding, which would try once more in a new session. */
  @Test
  void aSignatureThatHangsWhileSessionsAreLostIsMadeByNoOtherKey() throws Exception {
    CompletableFuture<byte[]> hanging = hangInSignInit(this::sign);

    module.failOver();
    try (Pkcs11Hsm again = token.open()) {
      WrappedKey wrapped = wrapNew(again);
      while (again.unwrap(wrapped).value() < key.value()) {
        // Until another key has its number.
      }
      module.clear("C_SignInit");

      assertThat(hanging)
          .failsWithin(Duration.ofSeconds(10))
          .withThrowableOfType(Exception.class)
          .withCauseInstanceOf(HsmException.class);
    }
  }

  @Test
  void forgottenSessionsAreLostForGood() {
    Session own = ownSession();

    module.forgetSessions();

    assertGone(own);
    assertGone(own);
    assertThat(beginToSign(own, key)).isEqualTo(ReturnValue.CKR_SESSION_HANDLE_INVALID.code());
    assertThat(failure(this::sign).reason()).isEqualTo(Reason.SESSION_LOST);
    assertThat(failure(() -> hsm.generate(KeySpec.EC_P256)).reason())
        .isEqualTo(Reason.SESSION_LOST);
    assertThat(failure(this::unwrapNew).reason()).isEqualTo(Reason.SESSION_LOST);
    assertThat(failure(hsm::probe).reason()).isEqualTo(Reason.SESSION_LOST);
    assertThat(hsm.destroy(key)).isEqualTo(Destruction.EPOCH_ENDED);
    try (Pkcs11Hsm again = token.open()) {
      assertThat(again.countLiveKeys()).as("keys that the lost sessions made").isZero();
      signIn(again, again.unwrap(wrapNew(again)));
    }
  }

  /** Why a key's number must not be trusted across a loss, and that it is not. */
  @Test
  void afterAFailOverAHandleOfOldNamesAnotherKey() {
    module.failOver();
    hsm.reopen();
    WrappedKey wrapped = wrapNew(hsm);
    KeyHandle other = hsm.unwrap(wrapped);
    while (other.value() < key.value()) {
      other = hsm.unwrap(wrapped);
    }
    assertThat(other.value()).as("the number of another key").isEqualTo(key.value());
    long before = module.calls("C_SignInit") + module.calls("C_DestroyObject");

    assertThat(failure(this::sign).reason()).isEqualTo(Reason.KEY_GONE);
    assertThat(hsm.destroy(key)).isEqualTo(Destruction.EPOCH_ENDED);

    assertThat(module.calls("C_SignInit") + module.calls("C_DestroyObject"))
        .as("the device was not asked")
        .isEqualTo(before);
    assertThat(signIn(hsm, other)).isNotEmpty();
  }

  @Test
  void forgottenObjectsAreGoneAndSessionsStay() {
    module.forgetObjects();

    assertThat(failure(this::sign).reason()).isEqualTo(Reason.KEY_GONE);
    assertThat(hsm.countLiveKeys()).isZero();
    assertThat(signIn(hsm, unwrapNew())).isNotEmpty();
  }

  @Test
  void aForgottenSessionIsLostAlone() {
    Session own = ownSession();
    KeyHandle madeInIt = generateIn(own);
    assertThat(signIn(hsm, madeInIt)).isNotEmpty();
    module.inject("C_GetSessionInfo", Fault.forgettingItsSession().times(1));

    assertGone(own);

    assertGone(own);
    assertThat(failure(() -> signIn(hsm, madeInIt)).reason()).isEqualTo(Reason.KEY_GONE);
    hsm.probe();
    assertThat(sign()).as("others").isNotEmpty();
  }

  @Test
  void aLostLoginTakesPrivateKeysAlong() {
    Session own = ownSession();
    own.requireUserLoggedIn();

    module.logOut();

    assertThat(failure(own::requireUserLoggedIn).returnValue())
        .isEqualTo(ReturnValue.CKR_USER_NOT_LOGGED_IN.code());
    assertThat(ReturnValue.of(beginToSign(own, key)).orElseThrow().reason())
        .isEqualTo(Reason.KEY_GONE);
    assertThat(failure(() -> generateIn(own)).returnValue())
        .isEqualTo(ReturnValue.CKR_USER_NOT_LOGGED_IN.code());
    assertThat(failure(hsm::probe).reason()).isEqualTo(Reason.SESSION_LOST);
  }

  @Test
  void aDeviceThatIsGoneComesBackWithItsSessions() {
    module.gone(CKR_DEVICE_REMOVED);

    assertThat(failure(this::sign).returnValue()).isEqualTo(CKR_DEVICE_REMOVED);
    assertThat(failure(hsm::probe).returnValue()).isEqualTo(CKR_DEVICE_REMOVED);
    assertThat(failure(token::open).returnValue())
        .as("no slot has a token")
        .isEqualTo(ReturnValue.CKR_TOKEN_NOT_PRESENT.code());

    module.back();
    assertThat(sign()).isNotEmpty();
  }

  @Test
  void aFrozenDeviceAnswersNobody() throws Exception {
    module.freeze();
    CompletableFuture<Void> probe = CompletableFuture.runAsync(hsm::probe);
    while (hsm.health().oldestCall().compareTo(Duration.ofMillis(100)) < 0) {
      Thread.sleep(10);
    }
    assertThat(probe).isNotDone();

    module.thaw();
    probe.get(10, TimeUnit.SECONDS);
  }

  /** PKCS#11 leaves open what happens to calls in progress, so they are to be none. */
  @Test
  void aFinalizedModuleBeginsAnewAndTellsOfCallsInProgress() throws Exception {
    assertThat(finalizeModule()).isZero();
    assertThat(module.finalizedInUse()).isZero();
    try (Pkcs11Hsm again = token.open()) {
      assertThat(again.countLiveKeys()).isZero();
      KeyHandle ofAgain = again.unwrap(wrapNew(again));
      module.inject("C_Sign", Fault.hanging().times(1));
      CompletableFuture<byte[]> hanging =
          CompletableFuture.supplyAsync(() -> signIn(again, ofAgain));
      while (module.faults("C_Sign") == 0) {
        Thread.sleep(1);
      }

      assertThat(finalizeModule()).isZero();
      assertThat(module.finalizedInUse()).isEqualTo(1);
      module.clear("C_Sign");
      assertThat(hanging)
          .failsWithin(Duration.ofSeconds(10))
          .withThrowableOfType(Exception.class)
          .withMessageContaining("CKR_CRYPTOKI_NOT_INITIALIZED");
    }
  }

  private long finalizeModule() {
    MemorySegment list = CryptokiLibrary.functionList(module.path(), module.path());
    long afterInitialize = CkFunction.C_INITIALIZE.offset() + ADDRESS.byteSize();
    return Downcall.call(list.get(ADDRESS, afterInitialize), MemorySegment.NULL);
  }

  @Test
  void anotherModuleInTheSameProcessNoticesNothing(@TempDir Path other) {
    try (FaultyModule second = FaultyModule.create(other);
        Pkcs11Hsm well = SoftHsmToken.create(second.path()).open()) {
      KeyHandle ofTheOther = well.unwrap(wrapNew(well));

      module.gone(CKR_DEVICE_REMOVED);
      module.forgetSessions();

      assertThat(failure(this::sign).returnValue()).isEqualTo(CKR_DEVICE_REMOVED);
      assertThat(signIn(well, ofTheOther)).isNotEmpty();
      assertThat(well.countLiveKeys()).isEqualTo(1);
      Functions functions = CryptokiLibrary.load(second.path(), Optional.empty()).functions();
      assertThat(new Slots(functions).tokens())
          .as("tokens of its own")
          .filteredOn(TokenInfo::initialized)
          .hasSize(1);
    }
  }
}
