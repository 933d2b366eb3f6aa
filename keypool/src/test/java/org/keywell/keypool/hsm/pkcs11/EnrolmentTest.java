package org.keywell.keypool.hsm.pkcs11;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.Arena;
import java.security.KeyPairGenerator;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.assertj.core.api.ThrowableAssertAlternative;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.keywell.keypool.hsm.Destruction;
import org.keywell.keypool.hsm.DigestAlgorithm;
import org.keywell.keypool.hsm.HsmException;
import org.keywell.keypool.hsm.HsmException.Reason;
import org.keywell.keypool.hsm.KeyHandle;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.keypool.hsm.LiveKeyPair;
import org.keywell.keypool.hsm.SignatureScheme;
import org.keywell.keypool.hsm.WrappedKey;

/** One wrapping key in two tokens of SoftHSM, from the transport pair to a signature. */
@Tag("softhsm")
final class EnrolmentTest {
  private static final String SHARED = "shared-wrap";

  private final SoftHsmToken origin = SoftHsmToken.createWithoutWrappingKey();
  private final SoftHsmToken recipient = SoftHsmToken.createWithoutWrappingKey();

  @Test
  void whatOneTokenWrapsTheOtherUnwrapsAndSigns() {
    TokenBootstrap.Result result = accept(recipient, enrol(request(recipient)));

    assertThat(result.created()).isTrue();
    try (Pkcs11Hsm here = open(origin);
        Pkcs11Hsm there = open(recipient)) {
      assertThat(there.wrappingKeyId()).isEqualTo(here.wrappingKeyId());
      assertThat(result.description()).isEqualTo("wrapping key " + here.wrappingKeyId());
      for (KeySpec spec : List.of(KeySpec.RSA_2048, KeySpec.EC_P256)) {
        assertMoves(here, there, spec);
        assertMoves(there, here, spec);
      }
    }
  }

  private static void assertMoves(Pkcs11Hsm from, Pkcs11Hsm to, KeySpec spec) {
    LiveKeyPair pair = from.generateExtractable(spec);
    WrappedKey wrapped = from.wrap(pair);
    assertThat(from.destroy(pair.privateKey())).isEqualTo(Destruction.DONE);

    if (spec.algorithm() == KeySpec.Algorithm.RSA) {
      // RSASSA-PKCS1-v1_5 signs without chance: the same key makes the same signature.
      assertThat(sign(to, wrapped, SignatureScheme.RSASSA_PKCS1_V1_5))
          .isEqualTo(sign(from, wrapped, SignatureScheme.RSASSA_PKCS1_V1_5));
    } else {
      assertThat(sign(to, wrapped, SignatureScheme.ECDSA)).isNotEmpty();
    }
  }

  private static byte[] sign(Pkcs11Hsm hsm, WrappedKey wrapped, SignatureScheme scheme) {
    KeyHandle key = hsm.unwrap(wrapped);
    try {
      return hsm.sign(key, scheme, DigestAlgorithm.SHA_256, new byte[32]);
    } finally {
      assertThat(hsm.destroy(key)).isEqualTo(Destruction.DONE);
    }
  }

  @Test
  void theKeyIsInEachTokenAsBootstrapWouldHaveMadeIt() {
    accept(recipient, enrol(request(recipient)));
    Map<String, Boolean> generated;
    try (Pkcs11Hsm bootstrapped = SoftHsmToken.create().open()) {
      generated = KeyAttributes.ofWrappingKey(bootstrapped);
    }

    assertThat(generated).containsEntry("CKA_EXTRACTABLE", false).containsEntry("CKA_WRAP", true);
    for (SoftHsmToken token : List.of(origin, recipient)) {
      try (Pkcs11Hsm hsm = open(token)) {
        assertThat(KeyAttributes.ofWrappingKey(hsm)).isEqualTo(generated);
        assertThat(hsm.wrappingKey().bindsUnwraps()).isTrue();
        // What SoftHSM tells of a key that was unwrapped; WrappingKey has to know.
        Optional<Long> length =
            hsm.inspect(
                hsm.wrappingKey().handle(), attributes -> attributes.readLong(Cka.CKA_VALUE_LEN));
        assertThat(length).contains(0L);
      }
    }
  }

  @Test
  void nothingElseStays() {
    accept(recipient, enrol(request(recipient)));

    for (SoftHsmToken token : List.of(origin, recipient)) {
      try (Pkcs11Hsm hsm = open(token)) {
        assertThat(hsm.count(template -> {})).as("objects, of the token and of sessions").isOne();
      }
    }
  }

  @Test
  void anEarlierWrappingKeyStaysOfUse() {
    Pkcs11Config earlier = recipient.addWrappingKey("earlier-wrap");
    WrappedKey stored;
    try (Pkcs11Hsm hsm = recipient.open(earlier)) {
      LiveKeyPair pair = hsm.generateExtractable(KeySpec.RSA_2048);
      stored = hsm.wrap(pair);
      hsm.destroy(pair.privateKey());
    }

    accept(recipient, enrol(request(recipient)));

    try (Pkcs11Hsm before = recipient.open(earlier);
        Pkcs11Hsm now = open(recipient)) {
      assertThat(sign(before, stored, SignatureScheme.RSASSA_PKCS1_V1_5)).isNotEmpty();
      assertThat(now.wrappingKeyId()).isNotEqualTo(before.wrappingKeyId());
    }
  }

  @Test
  void aTokenMayAcceptAgain() {
    EnrolledKey answer = enrol(request(recipient));

    assertThat(accept(recipient, answer).created()).isTrue();
    assertThat(accept(recipient, answer).created()).isFalse();
  }

  /** What is found in a token may be anybody's who was logged in to it. */
  @Test
  void eachRequestHasATransportPairOfItsOwn() {
    TransportRequest first = request(recipient);
    TransportRequest second = request(recipient);
    EnrolledKey answer = enrol(second);

    assertThat(second.publicKey()).isNotEqualTo(first.publicKey());
    assertRefused(
        Reason.WRAPPED_KEY_INVALID,
        () -> accept(recipient, enrol(SoftHsmToken.createWithoutWrappingKey(), first)));
    assertThat(accept(recipient, answer).created()).isTrue();
  }

  /** A crash after the key came into the token, and before the pair was removed. */
  @Test
  void acceptingAgainRemovesThePairThatWasLeft() {
    TransportRequest request = request(recipient);
    EnrolledKey answer = enrol(request);
    inSession(
        recipient,
        (session, brand) ->
            new RsaTransport(session, brand)
                .install(
                    TransportKeyPair.find(session).orElseThrow().privateKey(),
                    answer.encryptedKey(),
                    answer.key()));

    assertThat(accept(recipient, answer).created()).isFalse();
    assertThat(transportPair(recipient)).isEmpty();
  }

  @Test
  void theOriginDoesNotReplaceAKey() {
    TransportRequest request = request(recipient);
    enrol(request);

    assertRefused(Reason.NOT_BOOTSTRAPPED, () -> enrol(request))
        .withMessageContaining("has a wrapping key '" + SHARED + "' already");
    open(origin).close();
  }

  @Test
  void theRecipientDoesNotReplaceAKey() {
    EnrolledKey answer = enrol(request(recipient));
    Pkcs11Config own = recipient.addWrappingKey(SHARED);

    assertRefused(Reason.NOT_BOOTSTRAPPED, () -> accept(recipient, answer))
        .withMessageContaining("has another wrapping key '" + SHARED + "' already");
    recipient.open(own).close();
    assertThat(transportPair(recipient)).isPresent();
  }

  @Test
  void anAnswerToAnotherTokenIsRefused() {
    SoftHsmToken other = SoftHsmToken.createWithoutWrappingKey();
    request(recipient);
    EnrolledKey answer = enrol(request(other));

    assertRefused(Reason.WRAPPED_KEY_INVALID, () -> accept(recipient, answer))
        .withMessageContaining("another transport key");
    assertThat(accept(other, answer).created()).isTrue();
  }

  @Test
  void aDamagedKeyIsRefusedAndTheTrueOneAcceptedAfterIt() {
    EnrolledKey answer = enrol(request(recipient));
    byte[] damaged = answer.encryptedKey().clone();
    damaged[100] ^= 1;

    assertThatExceptionOfType(HsmException.class)
        .isThrownBy(() -> accept(recipient, with(answer, damaged, answer.checkPrivateKey())));
    assertHasNoWrappingKey(recipient);
    assertThat(accept(recipient, answer).created()).isTrue();
  }

  /** Somebody puts a key of their own, which they encrypted for this token, into an answer. */
  @Test
  void aKeyThatIsNotThatOfTheCheckIsRefused() {
    TransportRequest request = request(recipient);
    EnrolledKey answer = enrol(request);
    EnrolledKey other = enrol(SoftHsmToken.createWithoutWrappingKey(), request);

    assertThatExceptionOfType(HsmException.class)
        .isThrownBy(
            () -> accept(recipient, with(answer, other.encryptedKey(), answer.checkPrivateKey())))
        .withMessageContaining("does not serve");
    assertHasNoWrappingKey(recipient);
    assertThat(accept(recipient, answer).created()).isTrue();
  }

  private static EnrolledKey with(EnrolledKey key, byte[] encryptedKey, byte[] checkPrivateKey) {
    return new EnrolledKey(
        key.label(),
        key.ckaId(),
        key.transportKey(),
        encryptedKey,
        key.checkPublicKey(),
        checkPrivateKey);
  }

  @Test
  void whatCannotBeDeliveredIsTakenBack() {
    TransportRequest request = request(recipient);

    try (Pin pin = origin.pin()) {
      assertThatThrownBy(() ->
              WrappingKeyOrigin.enrol(
                  origin.config().withWrappingKeyLabel(SHARED),
                  pin,
                  List.of(request.publicKey()),
                  answers -> {
                    throw new IllegalStateException("disk full");
                  }))
          .hasMessage("disk full");
    }
    assertHasNoWrappingKey(origin);
    assertThat(accept(recipient, enrol(request)).created()).isTrue();
  }

  @Test
  void onlyATransportKeyGetsTheKey() throws Exception {
    KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
    generator.initialize(2048);
    byte[] tooShort = generator.generateKeyPair().getPublic().getEncoded();

    assertThatIllegalArgumentException()
        .isThrownBy(() -> enrol(new TransportRequest("token", "serial", tooShort)))
        .withMessageContaining("2048 bits");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> enrol(new TransportRequest("token", "serial", new byte[] {1, 2})));
    assertHasNoWrappingKey(origin);
  }

  /** With the PIN and an answer: by C_UnwrapKey, and a template of one's own. */
  @Test
  void anAnswerIsNotUnwrappedInClear() {
    EnrolledKey answer = enrol(request(recipient));

    inSession(
        recipient,
        (session, brand) -> {
          TransportKeyPair pair = TransportKeyPair.find(session).orElseThrow();
          try (Arena arena = Arena.ofConfined()) {
            Template inClear =
                Template.in(arena)
                    .with(Cka.CKA_CLASS, Ck.CKO_SECRET_KEY)
                    .with(Cka.CKA_KEY_TYPE, Ck.CKK_AES)
                    .no(Cka.CKA_TOKEN, Cka.CKA_SENSITIVE)
                    .yes(Cka.CKA_EXTRACTABLE)
                    .build();
            assertThatExceptionOfType(HsmException.class)
                .isThrownBy(() ->
                    new RsaTransport(session, brand)
                        .unwrap(pair.privateKey(), answer.encryptedKey(), inClear))
                .satisfies(e ->
                    assertThat(e.returnValue())
                        .isEqualTo(ReturnValue.CKR_TEMPLATE_INCONSISTENT.code()));
          }
          ObjectAttributes ofPair = new ObjectAttributes(session, pair.privateKey());
          assertThat(ofPair.readBoolean(Cka.CKA_SENSITIVE)).contains(true);
          assertThat(ofPair.readBoolean(Cka.CKA_EXTRACTABLE)).contains(false);
          assertThat(ofPair.readBoolean(Cka.CKA_DECRYPT)).contains(false);
          assertThat(ofPair.readBoolean(Cka.CKA_SIGN)).contains(false);
        });
  }

  @Test
  void aTokenWithoutOaepIsLeftAsItWas() {
    InterposedModule module = new InterposedModule(recipient.config());
    module.wrapKeyReturns(ReturnValue.CKR_MECHANISM_INVALID.code());

    try (Pin pin = recipient.pin()) {
      assertRefused(
              Reason.UNSUPPORTED,
              () -> WrappingKeyRecipient.request(module.library(), recipient.config(), pin))
          .withMessageContaining("RSA-OAEP")
          .withMessageContaining("CKR_MECHANISM_INVALID");
    }
    assertThat(transportPair(recipient)).isEmpty();
  }

  private static TransportRequest request(SoftHsmToken token) {
    try (Pin pin = token.pin()) {
      return WrappingKeyRecipient.request(token.config(), pin);
    }
  }

  private EnrolledKey enrol(TransportRequest request) {
    return enrol(origin, request);
  }

  private static EnrolledKey enrol(SoftHsmToken token, TransportRequest request) {
    List<EnrolledKey> delivered = new ArrayList<>();
    try (Pin pin = token.pin()) {
      String id =
          WrappingKeyOrigin.enrol(
              token.config().withWrappingKeyLabel(SHARED),
              pin,
              List.of(request.publicKey()),
              delivered::addAll);
      assertThat(delivered)
          .singleElement()
          .satisfies(key -> assertThat(key.wrappingKeyId()).isEqualTo(id));
    }
    return delivered.getFirst();
  }

  private static TokenBootstrap.Result accept(SoftHsmToken token, EnrolledKey key) {
    try (Pin pin = token.pin()) {
      return WrappingKeyRecipient.accept(token.config(), pin, key);
    }
  }

  private static Pkcs11Hsm open(SoftHsmToken token) {
    return token.open(token.config().withWrappingKeyLabel(SHARED));
  }

  private static ThrowableAssertAlternative<HsmException> assertRefused(
      Reason reason, org.assertj.core.api.ThrowableAssert.ThrowingCallable call) {
    return assertThatExceptionOfType(HsmException.class)
        .isThrownBy(call)
        .satisfies(e -> assertThat(e.reason()).isEqualTo(reason));
  }

  private static void assertHasNoWrappingKey(SoftHsmToken token) {
    inSession(token, (session, brand) -> assertThat(WrappingKey.find(session, SHARED)).isEmpty());
  }

  private static Optional<TransportKeyPair> transportPair(SoftHsmToken token) {
    List<TransportKeyPair> found = new ArrayList<>();
    inSession(token, (session, brand) -> TransportKeyPair.find(session).ifPresent(found::add));
    return found.stream().findFirst();
  }

  private interface InSession {
    void run(Session session, Brand brand);
  }

  private static void inSession(SoftHsmToken token, InSession work) {
    CryptokiLibrary library = CryptokiLibrary.load(token.config().module(), Optional.empty());
    long slotId = new Slots(library.functions()).require(token.config().tokenLabel()).slotId();
    try (Pin pin = token.pin();
        Session session = Session.openReadWrite(library.functions(), slotId)) {
      session.login(Ck.CKU_USER, pin);
      work.run(session, library.brand());
    }
  }
}
