package org.keywell.keypool.hsm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.charset.StandardCharsets;
import java.security.AsymmetricKey;
import java.security.interfaces.ECPublicKey;
import java.security.interfaces.RSAPublicKey;
import java.security.spec.NamedParameterSpec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.keywell.keypool.hsm.HsmException.Reason;

/**
 * What {@link Hsm} promises, for each implementation. Every test also has to leave the device
 * without a live key of its making.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
public abstract class HsmContract {
  protected static final String OTHER_WRAPPING_KEY = "other-wrap";

  private static final byte[] MESSAGE = "to be signed once".getBytes(StandardCharsets.UTF_8);
  private static final int THREADS = 4;
  private static final int CYCLES_PER_THREAD = 25;

  private final Map<KeySpec, WrappedKey> wrappedKeys = new EnumMap<>(KeySpec.class);
  private Hsm hsm;
  private long liveBefore;
  private long straysBefore;

  /** Opens the device; asked once for the whole class. */
  protected abstract Hsm open();

  /** Opens the same kind of device with {@link #OTHER_WRAPPING_KEY}; the test closes it. */
  protected abstract Hsm openWithOtherWrappingKey();

  /** The device under test. */
  protected final Hsm hsm() {
    return hsm;
  }

  @BeforeAll
  final void openDevice() {
    hsm = open();
  }

  @AfterAll
  final void closeDevice() {
    if (hsm != null) {
      hsm.close();
      hsm.close();
    }
  }

  @BeforeEach
  final void countBefore() {
    liveBefore = hsm.countLiveKeys();
    straysBefore = strays();
  }

  @AfterEach
  final void noKeyStays() {
    assertThat(hsm.countLiveKeys()).as("live keys").isEqualTo(liveBefore);
    assertThat(strays()).as("keys that outlive sessions").isEqualTo(straysBefore);
  }

  /** Tests of NSS share a token, with wrapping keys of others. */
  private long strays() {
    return hsm.countStrayTokenKeys(Set.of(OTHER_WRAPPING_KEY));
  }

  /** Whether the device under test wraps the keys of this kind that it makes. */
  protected boolean wraps(KeySpec spec) {
    return hsm.makes(spec);
  }

  private void assumeMade(KeySpec spec) {
    assumeTrue(hsm.makes(spec), () -> "the device makes no " + spec + " keys");
  }

  /** A wrapped key of the given kind, made at the first call. */
  protected final synchronized WrappedKey wrappedKey(KeySpec spec) {
    return wrappedKeys.computeIfAbsent(spec, this::newWrappedKey);
  }

  /** A wrapped key of the given kind that no other test has. */
  protected final WrappedKey newWrappedKey(KeySpec spec) {
    assumeTrue(wraps(spec), () -> "the device wraps no " + spec + " keys");
    LiveKeyPair pair = hsm.generateExtractable(spec);
    try {
      return hsm.wrap(pair);
    } finally {
      assertThat(hsm.destroy(pair.privateKey())).isEqualTo(Destruction.DONE);
    }
  }

  static Stream<Arguments> combinations() {
    List<Arguments> all = new ArrayList<>();
    for (KeySpec spec : KeySpec.values()) {
      for (SignatureScheme scheme : SignatureScheme.values()) {
        for (DigestAlgorithm digest : DigestAlgorithm.values()) {
          if (scheme.fits(spec)) {
            all.add(Arguments.of(spec, scheme, digest));
          }
        }
      }
    }
    return all.stream();
  }

  private byte[] sign(KeyHandle key, SignatureScheme scheme, DigestAlgorithm algorithm) {
    return hsm.sign(key, scheme, algorithm, SignatureCheck.content(scheme, algorithm, MESSAGE));
  }

  private static boolean verifies(
      KeySpec spec, byte[] publicKey, SignatureScheme scheme, DigestAlgorithm digest, byte[] by) {
    return SignatureCheck.verifies(spec, publicKey, scheme, digest, MESSAGE, by);
  }

  private byte[] signOnce(WrappedKey wrapped, SignatureScheme scheme, DigestAlgorithm digest) {
    KeyHandle key = hsm.unwrap(wrapped);
    try {
      return sign(key, scheme, digest);
    } finally {
      assertThat(hsm.destroy(key)).isEqualTo(Destruction.DONE);
    }
  }

  private static SignatureScheme anyScheme(KeySpec spec) {
    return spec.defaultScheme();
  }

  @ParameterizedTest
  @MethodSource("combinations")
  void aSignatureOfAnUnwrappedKeyVerifiesWithItsPublicKey(
      KeySpec spec, SignatureScheme scheme, DigestAlgorithm digest) {
    WrappedKey wrapped = wrappedKey(spec);

    byte[] signature = signOnce(wrapped, scheme, digest);

    assertThat(verifies(spec, wrapped.publicKey(), scheme, digest, signature)).isTrue();
    if (spec.algorithm() == KeySpec.Algorithm.RSA) {
      assertThat(signature).hasSize(spec.bits() / 8);
    }
  }

  @ParameterizedTest
  @EnumSource(KeySpec.class)
  void aGeneratedKeySignsAtOnce(KeySpec spec) {
    assumeMade(spec);
    SignatureScheme scheme = anyScheme(spec);
    LiveKeyPair pair = hsm.generate(spec);

    byte[] signature = sign(pair.privateKey(), scheme, DigestAlgorithm.SHA_256);
    Destruction destruction = hsm.destroy(pair.privateKey());

    assertThat(pair.privateKey().spec()).isEqualTo(spec);
    assertThat(verifies(spec, pair.publicKey(), scheme, DigestAlgorithm.SHA_256, signature))
        .isTrue();
    assertThat(destruction).isEqualTo(Destruction.DONE);
  }

  @ParameterizedTest
  @EnumSource(KeySpec.class)
  void aPublicKeyIsOfItsKind(KeySpec spec) {
    byte[] publicKey = wrappedKey(spec).publicKey();

    int bits =
        switch (SignatureCheck.publicKey(spec, publicKey)) {
          case RSAPublicKey rsa -> rsa.getModulus().bitLength();
          case ECPublicKey ec -> ec.getParams().getCurve().getField().getFieldSize();
          // The SubjectPublicKeyInfo has 22 octets before the key.
          case AsymmetricKey mlDsa -> {
            assertThat(mlDsa.getParams())
                .isInstanceOf(NamedParameterSpec.class)
                .extracting(named -> ((NamedParameterSpec) named).getName())
                .isEqualTo(spec.label());
            yield (publicKey.length - 22) * Byte.SIZE;
          }
        };

    assertThat(bits).isEqualTo(spec.bits());
  }

  @Test
  void aWrappedKeySaysWhatWrappedIt() {
    WrappedKey wrapped = wrappedKey(KeySpec.RSA_2048);

    assertThat(wrapped.spec()).isEqualTo(KeySpec.RSA_2048);
    assertThat(wrapped.wrappingKeyId()).isEqualTo(hsm.wrappingKeyId());
    assertThat(wrapped.wrapMechanism()).isEqualTo("AES-KWP").isEqualTo(hsm.wrapMechanism());
  }

  @Test
  void unwrappingTwiceYieldsTheSameKey() {
    WrappedKey wrapped = wrappedKey(KeySpec.RSA_2048);
    byte[] first = signOnce(wrapped, SignatureScheme.RSASSA_PKCS1_V1_5, DigestAlgorithm.SHA_384);
    byte[] second = signOnce(wrapped, SignatureScheme.RSASSA_PKCS1_V1_5, DigestAlgorithm.SHA_384);

    assertThat(second).isEqualTo(first);
  }

  @ParameterizedTest
  @EnumSource(KeySpec.class)
  void aKeyGeneratedForTheSpotCannotBeWrapped(KeySpec spec) {
    assumeMade(spec);
    LiveKeyPair pair = hsm.generate(spec);
    try {
      assertThatExceptionOfType(HsmException.class).isThrownBy(() -> hsm.wrap(pair));
    } finally {
      assertThat(hsm.destroy(pair.privateKey())).isEqualTo(Destruction.DONE);
    }
  }

  @ParameterizedTest
  @EnumSource(KeySpec.class)
  void anUnwrappedKeyCannotBeWrappedAgain(KeySpec spec) {
    WrappedKey wrapped = wrappedKey(spec);
    KeyHandle key = hsm.unwrap(wrapped);
    try {
      assertThatExceptionOfType(HsmException.class)
          .isThrownBy(() -> hsm.wrap(new LiveKeyPair(key, wrapped.publicKey())));
    } finally {
      assertThat(hsm.destroy(key)).isEqualTo(Destruction.DONE);
    }
  }

  private static WrappedKey withCiphertext(WrappedKey key, byte[] ciphertext) {
    return new WrappedKey(
        key.spec(), key.wrappingKeyId(), key.wrapMechanism(), key.publicKey(), ciphertext);
  }

  private void assertInvalid(WrappedKey key) {
    assertThatExceptionOfType(HsmException.class)
        .isThrownBy(() -> hsm.unwrap(key))
        .satisfies(e -> {
          assertThat(e.reason()).as(e.getMessage()).isEqualTo(Reason.WRAPPED_KEY_INVALID);
          assertThat(e.concernsDevice()).isFalse();
        });
  }

  @ParameterizedTest
  @EnumSource(
      value = KeySpec.class,
      names = {"RSA_2048", "EC_P256", "ML_DSA_65"})
  void aWrappedKeyWithAnyBitChangedIsInvalid(KeySpec spec) {
    WrappedKey key = wrappedKey(spec);
    int length = key.wrappedPrivateKey().length;
    for (int position : new int[] {0, 7, 8, length / 2, length - 1}) {
      byte[] tampered = key.wrappedPrivateKey().clone();
      tampered[position] ^= 1;
      assertInvalid(withCiphertext(key, tampered));
    }
    // The device still works.
    signOnce(key, anyScheme(spec), DigestAlgorithm.SHA_256);
  }

  @Test
  void aTruncatedWrappedKeyIsInvalid() {
    WrappedKey key = wrappedKey(KeySpec.RSA_2048);
    int length = key.wrappedPrivateKey().length;
    for (int kept : new int[] {8, 16, 24, length - 8, length - 1}) {
      assertInvalid(withCiphertext(key, Arrays.copyOf(key.wrappedPrivateKey(), kept)));
    }
  }

  @Test
  void anEmptyOrEndlessWrappedKeyIsInvalid() {
    WrappedKey key = wrappedKey(KeySpec.RSA_2048);
    assertInvalid(withCiphertext(key, new byte[0]));
    assertInvalid(withCiphertext(key, new byte[1 << 20]));
  }

  @Test
  void aKeyUnderAnotherWrappingKeyIsInvalid() {
    try (Hsm other = openWithOtherWrappingKey()) {
      LiveKeyPair pair = other.generateExtractable(KeySpec.EC_P256);
      WrappedKey foreign = other.wrap(pair);
      assertThat(other.destroy(pair.privateKey())).isEqualTo(Destruction.DONE);

      assertThat(foreign.wrappingKeyId()).isNotEqualTo(hsm.wrappingKeyId());
      assertInvalid(foreign);
      // The id in a database row can be forged; the ciphertext cannot.
      assertInvalid(
          new WrappedKey(
              foreign.spec(),
              hsm.wrappingKeyId(),
              foreign.wrapMechanism(),
              foreign.publicKey(),
              foreign.wrappedPrivateKey()));
    }
  }

  /** SoftHSM says that by a code which stands for a failed device as well. */
  @Test
  void aKeyOfAnotherKindThanItsRowSaysDoesNotUnwrap() {
    WrappedKey ec = wrappedKey(KeySpec.EC_P256);
    WrappedKey mislabelled =
        new WrappedKey(
            KeySpec.RSA_2048,
            ec.wrappingKeyId(),
            ec.wrapMechanism(),
            ec.publicKey(),
            ec.wrappedPrivateKey());

    assertThatExceptionOfType(HsmException.class).isThrownBy(() -> hsm.unwrap(mislabelled));
  }

  @Test
  void anUnknownWrapMechanismIsUnsupported() {
    WrappedKey key = wrappedKey(KeySpec.EC_P256);

    assertThatExceptionOfType(HsmException.class)
        .isThrownBy(() ->
            hsm.unwrap(
                new WrappedKey(
                    key.spec(),
                    key.wrappingKeyId(),
                    "AES-CBC-PAD",
                    key.publicKey(),
                    key.wrappedPrivateKey())))
        .satisfies(e -> assertThat(e.reason()).isEqualTo(Reason.UNSUPPORTED));
  }

  @Test
  void aDeviceThatWorksIsWell() {
    // Another test may have asked for what is refused, which leaves the device in doubt.
    hsm.prove(hsm::destroy);
    hsm.probe();

    HsmHealth health = hsm.health();
    assertThat(health.state()).isEqualTo(HsmHealth.State.UP);
    assertThat(health.hung()).isFalse();
    assertThat(health.down()).isEmpty();
    assertThat(health.loggedIn()).isTrue();
    assertThat(health.callsInProgress()).isZero();
    assertThat(health.oldestCall()).isZero();
    assertThat(hsm.failsToSign()).isFalse();
  }

  @Test
  void provesItselfAndLeavesTheKeysToTheirDestroyer() {
    List<KeyHandle> destroyed = new ArrayList<>();

    hsm.prove(key -> {
      destroyed.add(key);
      return hsm.destroy(key);
    });

    assertThat(destroyed).isNotEmpty();
  }

  @Test
  void aDestroyedKeyIsGone() {
    KeyHandle key = hsm.unwrap(wrappedKey(KeySpec.RSA_2048));
    assertThat(hsm.countLiveKeys()).isEqualTo(liveBefore + 1);

    assertThat(hsm.destroy(key)).isEqualTo(Destruction.DONE);

    assertThat(hsm.countLiveKeys()).isEqualTo(liveBefore);
    assertThatExceptionOfType(HsmException.class)
        .isThrownBy(() -> sign(key, SignatureScheme.RSASSA_PKCS1_V1_5, DigestAlgorithm.SHA_256))
        .satisfies(e -> assertThat(e.reason()).isEqualTo(Reason.KEY_GONE));
    assertThatExceptionOfType(HsmException.class)
        .isThrownBy(() -> hsm.wrap(new LiveKeyPair(key, new byte[0])))
        .satisfies(e -> assertThat(e.reason()).isEqualTo(Reason.KEY_GONE));
  }

  @Test
  void reopeningEndsEveryKeyAndHandle() {
    KeyHandle old = hsm.unwrap(wrappedKey(KeySpec.EC_P256));
    long before = hsm.epoch();
    assertThat(old.epoch()).isEqualTo(before);

    hsm.reopen();

    assertThat(hsm.epoch()).isGreaterThan(before);
    assertThat(hsm.countLiveKeys()).as("live keys").isZero();
    // As many as were live before: some of them have the same numbers.
    List<KeyHandle> young = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      young.add(hsm.unwrap(wrappedKey(KeySpec.EC_P256)));
    }
    assertThatExceptionOfType(HsmException.class)
        .isThrownBy(() -> sign(old, SignatureScheme.ECDSA, DigestAlgorithm.SHA_256))
        .satisfies(e -> assertThat(e.reason()).isEqualTo(Reason.KEY_GONE));
    assertThat(hsm.destroy(old)).isEqualTo(Destruction.EPOCH_ENDED);
    for (KeyHandle key : young) {
      assertThat(key.epoch()).isEqualTo(hsm.epoch());
      assertThat(sign(key, SignatureScheme.ECDSA, DigestAlgorithm.SHA_256)).isNotEmpty();
      assertThat(hsm.destroy(key)).isEqualTo(Destruction.DONE);
    }
    liveBefore = 0;
  }

  @Test
  void anEpochThatIsLostEndsAtOnceAndIsToldOnce() {
    KeyHandle key = hsm.unwrap(wrappedKey(KeySpec.EC_P256));
    AtomicInteger told = new AtomicInteger();
    hsm.onLoss(told::incrementAndGet);

    hsm.lose(key.epoch() - 1, "of another epoch");
    assertThat(hsm.failsToSign()).isFalse();
    hsm.lose(key.epoch(), "a test says so");
    hsm.lose(key.epoch(), "a test says so");

    assertThat(told).hasValue(1);
    assertThat(hsm.failsToSign()).isTrue();
    assertThat(hsm.health().loggedIn()).isFalse();
    assertThat(hsm.health().state()).isEqualTo(HsmHealth.State.REOPENING);
    assertThatExceptionOfType(HsmException.class)
        .isThrownBy(() -> sign(key, SignatureScheme.ECDSA, DigestAlgorithm.SHA_256))
        .satisfies(e -> assertThat(e.reason()).isEqualTo(Reason.SESSION_LOST));
    assertThat(hsm.destroy(key)).isEqualTo(Destruction.EPOCH_ENDED);

    hsm.onLoss(() -> {});
    hsm.reopen();
    assertThat(hsm.failsToSign()).isFalse();
    assertThat(hsm.health().state()).isEqualTo(HsmHealth.State.UP);
    assertThat(hsm.countLiveKeys()).isZero();
    liveBefore = 0;
  }

  /** Devices renumber keys when they are opened, so an old number names a new key. */
  @Test
  void aHandleOfAnotherEpochNamesNoKeyAlthoughItsNumberDoes() {
    LiveKeyPair young = hsm.generateExtractable(KeySpec.EC_P256);
    KeyHandle stale =
        new KeyHandle(young.privateKey().epoch() - 1, young.privateKey().value(), KeySpec.EC_P256);

    assertThatExceptionOfType(HsmException.class)
        .isThrownBy(() -> sign(stale, SignatureScheme.ECDSA, DigestAlgorithm.SHA_256))
        .satisfies(e -> assertThat(e.reason()).isEqualTo(Reason.KEY_GONE));
    assertThatExceptionOfType(HsmException.class)
        .isThrownBy(() -> hsm.wrap(new LiveKeyPair(stale, young.publicKey())))
        .satisfies(e -> assertThat(e.reason()).isEqualTo(Reason.KEY_GONE));
    assertThat(hsm.destroy(stale)).isEqualTo(Destruction.EPOCH_ENDED);
    assertThat(Destruction.EPOCH_ENDED.succeeded()).isFalse();
    assertThat(Destruction.EPOCH_ENDED.keyIsGone()).isTrue();

    assertThat(hsm.destroy(young.privateKey())).as("still there").isEqualTo(Destruction.DONE);
  }

  @Test
  void destroyingTwiceIsReportedNotThrown() {
    KeyHandle key = hsm.unwrap(wrappedKey(KeySpec.RSA_2048));

    assertThat(hsm.destroy(key).succeeded()).isTrue();
    assertThat(hsm.destroy(key).succeeded()).isFalse();
  }

  @Test
  void aDigestOfAnotherLengthIsRefused() {
    KeyHandle key = hsm.unwrap(wrappedKey(KeySpec.RSA_2048));
    try {
      for (int length : new int[] {0, 31, 33, 64}) {
        assertThatIllegalArgumentException()
            .isThrownBy(() ->
                hsm.sign(
                    key,
                    SignatureScheme.RSASSA_PKCS1_V1_5,
                    DigestAlgorithm.SHA_256,
                    new byte[length]));
      }
    } finally {
      assertThat(hsm.destroy(key)).isEqualTo(Destruction.DONE);
    }
  }

  @Test
  void aSchemeThatDoesNotFitTheKeyIsRefused() {
    KeyHandle rsa = hsm.unwrap(wrappedKey(KeySpec.RSA_2048));
    KeyHandle ec = hsm.unwrap(wrappedKey(KeySpec.EC_P256));
    try {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> sign(rsa, SignatureScheme.ECDSA, DigestAlgorithm.SHA_256));
      assertThatIllegalArgumentException()
          .isThrownBy(() -> sign(ec, SignatureScheme.RSASSA_PSS, DigestAlgorithm.SHA_256));
    } finally {
      assertThat(hsm.destroy(rsa)).isEqualTo(Destruction.DONE);
      assertThat(hsm.destroy(ec)).isEqualTo(Destruction.DONE);
    }
  }

  /** Each thread unwraps, the next one signs, and a third destroys: no key is mistaken. */
  @Test
  void threadsShareKeysWithoutMixingThemUp() throws Exception {
    List<WrappedKey> keys = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      keys.add(newWrappedKey(KeySpec.EC_P256));
    }
    keys.set(0, wrappedKey(KeySpec.RSA_2048));
    try (ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        ExecutorService virtual = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<?>> cycles = new ArrayList<>();
      for (int cycle = 0; cycle < THREADS * CYCLES_PER_THREAD; cycle++) {
        WrappedKey wrapped = keys.get(cycle % keys.size());
        SignatureScheme scheme = anyScheme(wrapped.spec());
        cycles.add(
            threads.submit(() -> {
              KeyHandle key = hsm.unwrap(wrapped);
              byte[] signature =
                  virtual.submit(() -> sign(key, scheme, DigestAlgorithm.SHA_256)).get();
              assertThat(hsm.destroy(key)).isEqualTo(Destruction.DONE);
              assertThat(
                      verifies(
                          wrapped.spec(),
                          wrapped.publicKey(),
                          scheme,
                          DigestAlgorithm.SHA_256,
                          signature))
                  .isTrue();
              return null;
            }));
      }
      for (Future<?> cycle : cycles) {
        cycle.get();
      }
    }
  }

  @Test
  void threadsGenerateAtTheSameTime() throws Exception {
    try (ExecutorService threads = Executors.newFixedThreadPool(THREADS)) {
      List<Future<WrappedKey>> generated = new ArrayList<>();
      for (int i = 0; i < THREADS * 3; i++) {
        generated.add(threads.submit(() -> newWrappedKey(KeySpec.EC_P384)));
      }
      for (Future<WrappedKey> future : generated) {
        WrappedKey wrapped = future.get();
        byte[] signature = signOnce(wrapped, SignatureScheme.ECDSA, DigestAlgorithm.SHA_384);
        assertThat(
                verifies(
                    wrapped.spec(),
                    wrapped.publicKey(),
                    SignatureScheme.ECDSA,
                    DigestAlgorithm.SHA_384,
                    signature))
            .isTrue();
      }
    }
  }

  /** Whether the device keeps data objects that only who has the PIN can read. */
  protected boolean keepsData() {
    return true;
  }

  @Test
  final void aDeviceThatKeepsNoDataSaysSo() {
    assumeFalse(keepsData());
    assertThatExceptionOfType(HsmException.class)
        .isThrownBy(() -> hsm.keepData(new TokenData("keywell-test", new byte[] {1})));
    assertThat(hsm.data("")).isEmpty();
  }

  @Test
  final void aDataObjectStaysUntilItIsReplacedOrRemoved() {
    assumeTrue(keepsData());
    hsm.keepData(new TokenData("keywell-test one", "first".getBytes(StandardCharsets.UTF_8)));
    hsm.keepData(new TokenData("keywell-test two", new byte[] {0, (byte) 0xff}));
    hsm.keepData(new TokenData("keywell-test one", "second".getBytes(StandardCharsets.UTF_8)));

    assertThat(hsm.data("keywell-test "))
        .extracting(TokenData::name)
        .containsExactlyInAnyOrder("keywell-test one", "keywell-test two");
    assertThat(hsm.data("keywell-test o"))
        .singleElement()
        .satisfies(data -> assertThat(data.value()).asString().isEqualTo("second"));

    hsm.removeData("keywell-test one");
    hsm.removeData("keywell-test two");
    hsm.removeData("keywell-test two");
    assertThat(hsm.data("keywell-test ")).isEmpty();
  }

  @Test
  final void aDataObjectHasItsFullLength() {
    assumeTrue(keepsData());
    byte[] value = new byte[TokenData.MAX_BYTES];
    Arrays.fill(value, (byte) 'x');
    hsm.keepData(new TokenData("keywell-test", value));
    assertThat(hsm.data("keywell-test").getFirst().value()).isEqualTo(value);
    hsm.removeData("keywell-test");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new TokenData("keywell-test", new byte[TokenData.MAX_BYTES + 1]));
  }
}
