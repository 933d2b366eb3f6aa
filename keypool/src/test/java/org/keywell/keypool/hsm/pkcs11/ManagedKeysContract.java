package org.keywell.keypool.hsm.pkcs11;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.MessageDigest;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.interfaces.RSAPrivateKey;
import java.security.spec.PKCS8EncodedKeySpec;
import java.security.spec.X509EncodedKeySpec;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import javax.crypto.Cipher;
import javax.crypto.Mac;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.keywell.keypool.hsm.Destruction;
import org.keywell.keypool.hsm.DigestAlgorithm;
import org.keywell.keypool.hsm.HsmException;
import org.keywell.keypool.hsm.HsmException.Reason;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.keypool.hsm.LiveKeyPair;
import org.keywell.keypool.hsm.SignatureScheme;
import org.keywell.keypool.hsm.WrappedKey;
import org.keywell.keypool.hsm.pkcs11.CipherCall.Mode;
import org.keywell.keypool.log.LogPace;

/** What a device does with managed keys, compared with JCA on the keys' values. */
abstract class ManagedKeysContract {
  private static final byte[] NONE = {};

  private Pkcs11Hsm hsm;
  private ManagedKeys keys;

  /** Opens the device with its wrapping key for managed keys. */
  protected abstract Pkcs11Hsm open();

  protected abstract Pkcs11Hsm openWithOtherWrappingKey();

  @BeforeEach
  void openDevice() {
    hsm = open();
    keys = hsm.managedKeys();
  }

  @AfterEach
  void nothingStays() {
    try {
      assertThat(liveSecrets(hsm)).as("secrets left in the token").isZero();
      assertThat(hsm.countLiveKeys()).as("private keys left in the token").isZero();
    } finally {
      hsm.close();
    }
  }

  /** The longest secret that this brand unwraps, in bytes; a longer one is UNSUPPORTED. */
  protected int longestSecret() {
    return ManagedKeys.MAX_CONTENT_BYTES;
  }

  /** Whether this brand computes an HMAC with a key of that length, in bytes. */
  protected boolean takesHmacKey(DigestAlgorithm hash, int bytes) {
    return true;
  }

  static long liveSecrets(Pkcs11Hsm hsm) {
    return hsm.count(template -> template.with(Cka.CKA_CLASS, Ck.CKO_SECRET_KEY).no(Cka.CKA_TOKEN));
  }

  static Stream<Arguments> sizesAndModes() {
    return Stream.of(128, 192, 256)
        .flatMap(bits -> Arrays.stream(Mode.values()).map(mode -> Arguments.of(bits, mode)));
  }

  @ParameterizedTest
  @MethodSource("sizesAndModes")
  void encryptsAndDecryptsAsJca(int bits, Mode mode) throws Exception {
    byte[] blob = keys.generateAes(bits);
    byte[] key = keys.reveal(blob);
    assertThat(key).hasSize(bits / 8);
    int[] lengths =
        mode == Mode.ECB || mode == Mode.CBC ? new int[] {16, 6400} : new int[] {1, 33, 5000};
    for (int length : lengths) {
      byte[] data = random(length);
      CipherCall call = call(mode);
      byte[] expected = jca(Cipher.ENCRYPT_MODE, key, call, data);

      assertThat(keys.encrypt(blob, call, data)).as("%d bytes", length).isEqualTo(expected);
      assertThat(keys.decrypt(blob, call, expected)).as("%d bytes", length).isEqualTo(data);
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = Mode.class,
      names = {"CBC_PAD", "GCM"})
  void encryptsNothing(Mode mode) throws Exception {
    byte[] blob = keys.generateAes(256);
    CipherCall call = call(mode);
    byte[] expected = jca(Cipher.ENCRYPT_MODE, keys.reveal(blob), call, NONE);

    assertThat(keys.encrypt(blob, call, NONE)).isEqualTo(expected);
    assertThat(keys.decrypt(blob, call, expected)).isEmpty();
  }

  @Test
  void encryptsAMebibyte() throws Exception {
    byte[] blob = keys.generateAes(128);
    byte[] data = random(ManagedKeys.MAX_DATA_BYTES);
    CipherCall call = call(Mode.GCM);
    byte[] encrypted = keys.encrypt(blob, call, data);

    assertThat(encrypted).isEqualTo(jca(Cipher.ENCRYPT_MODE, keys.reveal(blob), call, data));
    assertThat(keys.decrypt(blob, call, encrypted)).isEqualTo(data);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> keys.encrypt(blob, call, new byte[ManagedKeys.MAX_DATA_BYTES + 1]))
        .withMessageContaining("1048577 bytes");
  }

  @ParameterizedTest
  @ValueSource(ints = {12, 13, 16})
  void aTagHasTheLengthAskedFor(int tagBytes) throws Exception {
    byte[] blob = keys.generateAes(256);
    CipherCall call = new CipherCall(Mode.GCM, random(12), NONE, tagBytes);
    byte[] data = random(100);
    byte[] encrypted = keys.encrypt(blob, call, data);

    assertThat(encrypted).isEqualTo(jca(Cipher.ENCRYPT_MODE, keys.reveal(blob), call, data));
    assertThat(keys.decrypt(blob, call, encrypted)).isEqualTo(data);
  }

  @Test
  void whatIsNotAuthenticIsNotDecrypted() {
    byte[] blob = keys.generateAes(256);
    CipherCall call = call(Mode.GCM);
    byte[] encrypted = keys.encrypt(blob, call, random(100));

    for (int damaged : new int[] {0, 99, 100, 115}) {
      assertFails(
          Reason.DATA_INVALID, () -> keys.decrypt(blob, call, withBitFlipped(encrypted, damaged)));
    }
    CipherCall otherAad = new CipherCall(Mode.GCM, call.iv(), random(5), 16);
    assertFails(Reason.DATA_INVALID, () -> keys.decrypt(blob, otherAad, encrypted));
    assertFails(Reason.DATA_INVALID, () -> keys.decrypt(keys.generateAes(256), call, encrypted));
    assertThat(keys.decrypt(blob, call, encrypted)).hasSize(100);
  }

  @ParameterizedTest
  @EnumSource(
      value = Mode.class,
      names = {"ECB", "CBC"})
  void dataThatIsNoWholeBlocksIsRefused(Mode mode) {
    byte[] blob = keys.generateAes(256);

    assertFails(Reason.DATA_INVALID, () -> keys.encrypt(blob, call(mode), random(17)));
    assertFails(Reason.DATA_INVALID, () -> keys.decrypt(blob, call(mode), random(17)));
    assertThat(keys.encrypt(blob, call(mode), random(16))).hasSize(16);
  }

  @Test
  void dataWithoutThePaddingIsNotDecryptedWithIt() {
    byte[] blob = keys.generateAes(256);
    byte[] iv = random(16);
    byte[] encrypted = keys.encrypt(blob, new CipherCall(Mode.CBC, iv, NONE, 0), new byte[32]);
    CipherCall padded = new CipherCall(Mode.CBC_PAD, iv, NONE, 0);

    assertFails(Reason.DATA_INVALID, () -> keys.decrypt(blob, padded, encrypted));
    assertFails(Reason.DATA_INVALID, () -> keys.decrypt(blob, padded, random(17)));
    assertThat(keys.decrypt(blob, padded, keys.encrypt(blob, padded, random(17)))).hasSize(17);
  }

  @ParameterizedTest
  @EnumSource(DigestAlgorithm.class)
  void macsAsJca(DigestAlgorithm hash) throws Exception {
    byte[] blob = keys.generateSecret(64);
    byte[] key = keys.reveal(blob);
    assertThat(key).hasSize(64);
    Mac mac = Mac.getInstance("Hmac" + hash.label().replace("-", ""));
    mac.init(new SecretKeySpec(key, "HMAC"));
    for (int length : new int[] {0, 1, 5000}) {
      byte[] data = random(length);
      assertThat(keys.mac(blob, hash, data)).isEqualTo(mac.doFinal(data));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 16, 20, 24, 31, 32, 37, 48, 63, 64, 65, 72, 100, 127, 136, 150})
  void macsByAKeyOfAnyLengthOrNotAtAll(int length) throws Exception {
    byte[] key = random(length);
    byte[] blob = keys.store(key);
    for (DigestAlgorithm hash : DigestAlgorithm.values()) {
      Mac mac = Mac.getInstance("Hmac" + hash.label().replace("-", ""));
      mac.init(new SecretKeySpec(key, "HMAC"));

      if (takesHmacKey(hash, length)) {
        assertThat(keys.mac(blob, hash, key)).isEqualTo(mac.doFinal(key));
      } else {
        assertFails(Reason.UNSUPPORTED, () -> keys.mac(blob, hash, key));
      }
    }
  }

  @Test
  void aGeneratedSecretHasTheLengthAskedFor() {
    for (int length : new int[] {16, 20, 64}) {
      assertThat(keys.reveal(keys.generateSecret(length))).hasSize(length);
    }
  }

  @Test
  void wrapsUnderAClientsKeyAsJca() throws Exception {
    byte[] clientsBlob = keys.generateAes(256);
    byte[] content = random(48);
    Cipher wrap = Cipher.getInstance("AESWrap");
    wrap.init(Cipher.WRAP_MODE, new SecretKeySpec(keys.reveal(clientsBlob), "AES"));
    byte[] expected = wrap.wrap(new SecretKeySpec(content, "any"));

    assertThat(keys.wrapUnder(keys.store(content), clientsBlob)).isEqualTo(expected);
    assertThat(keys.reveal(keys.unwrapUnder(expected, clientsBlob))).isEqualTo(content);
    assertFails(
        Reason.DATA_INVALID, () -> keys.unwrapUnder(withBitFlipped(expected, 9), clientsBlob));
    assertFails(Reason.DATA_INVALID, () -> keys.unwrapUnder(random(25), clientsBlob));
    assertFails(Reason.DATA_INVALID, () -> keys.unwrapUnder(expected, keys.generateAes(256)));
  }

  @Test
  void aLongContentIsWrappedUnderAClientsKey() {
    byte[] clientsBlob = keys.generateAes(128);
    byte[] content = random(Math.min(2_400, longestSecret()));
    byte[] wrapped = keys.wrapUnder(keys.store(content), clientsBlob);

    assertThat(wrapped).hasSize(content.length + 8);
    assertThat(keys.reveal(keys.unwrapUnder(wrapped, clientsBlob))).isEqualTo(content);
  }

  /** RFC 3394 takes whole semiblocks only; the DER says where the key ends. */
  @Test
  void zerosMayFollowAPoolsPrivateKeyUnderAClientsKey() throws Exception {
    byte[] clientsBlob = keys.generateAes(256);
    byte[] blob = pair(KeySpec.EC_P256).wrappedPrivateKey();
    byte[] wrapped = keys.wrapUnder(blob, clientsBlob);

    Cipher unwrap = Cipher.getInstance("AESWrap");
    unwrap.init(Cipher.UNWRAP_MODE, new SecretKeySpec(keys.reveal(clientsBlob), "AES"));
    byte[] content = unwrap.unwrap(wrapped, "any", Cipher.SECRET_KEY).getEncoded();
    assertThat(content).isEqualTo(Arrays.copyOf(keys.reveal(blob), blob.length - 8));
  }

  @Test
  void aContentThatIsNoWholeSemiblocksIsNotWrappedUnderAClientsKey() {
    byte[] blob = keys.store(random(33));

    assertFails(Reason.UNSUPPORTED, () -> keys.wrapUnder(blob, keys.generateAes(256)));
  }

  @ParameterizedTest
  @EnumSource(
      value = KeySpec.class,
      names = {"RSA_2048", "EC_P256"})
  void aPairOfThePoolSigns(KeySpec spec) throws Exception {
    boolean rsa = spec.algorithm() == KeySpec.Algorithm.RSA;
    WrappedKey pair = pair(spec);
    byte[] message = random(100);
    byte[] digest = MessageDigest.getInstance("SHA-256").digest(message);

    byte[] signature = sign(pair, digest);

    KeyFactory factory = KeyFactory.getInstance(rsa ? "RSA" : "EC");
    PublicKey publicKey = factory.generatePublic(new X509EncodedKeySpec(pair.publicKey()));
    Signature verifier = Signature.getInstance(rsa ? "SHA256withRSA" : "SHA256withECDSA");
    verifier.initVerify(publicKey);
    verifier.update(message);

    assertThat(verifier.verify(signature)).isTrue();
  }

  /** The binding verifies it, and would throw. */
  @ParameterizedTest
  @EnumSource(DigestAlgorithm.class)
  void aPairOfThePoolSignsByPss(DigestAlgorithm hash) {
    WrappedKey pair = pair(KeySpec.RSA_2048);

    assertThat(keys.sign(pair, SignatureScheme.RSASSA_PSS, hash, random(hash.lengthBytes())))
        .hasSize(256);
  }

  private byte[] sign(WrappedKey pair, byte[] digest) {
    boolean rsa = pair.spec().algorithm() == KeySpec.Algorithm.RSA;
    return keys.sign(
        pair,
        rsa ? SignatureScheme.RSASSA_PKCS1_V1_5 : SignatureScheme.ECDSA,
        DigestAlgorithm.SHA_256,
        digest);
  }

  /** A client's own, as it was registered. */
  @ParameterizedTest
  @ValueSource(strings = {"RSA", "EC"})
  void aPrivateKeyThatWasStoredSigns(String algorithm) throws Exception {
    boolean rsa = algorithm.equals("RSA");
    KeyPairGenerator generator = KeyPairGenerator.getInstance(algorithm);
    generator.initialize(rsa ? 2048 : 256);
    KeyPair clients = generator.generateKeyPair();
    WrappedKey stored =
        new WrappedKey(
            rsa ? KeySpec.RSA_2048 : KeySpec.EC_P256,
            hsm.wrappingKeyId(),
            hsm.wrapMechanism(),
            clients.getPublic().getEncoded(),
            keys.store(clients.getPrivate().getEncoded()));
    byte[] message = random(100);

    byte[] signature = sign(stored, MessageDigest.getInstance("SHA-256").digest(message));

    Signature verifier = Signature.getInstance(rsa ? "SHA256withRSA" : "SHA256withECDSA");
    verifier.initVerify(clients.getPublic());
    verifier.update(message);
    assertThat(verifier.verify(signature)).isTrue();
  }

  @Test
  void aPairsContentIsPkcs8() throws Exception {
    WrappedKey rsaPair = pair(KeySpec.RSA_2048);
    byte[] ec = keys.reveal(pair(KeySpec.EC_P256).wrappedPrivateKey());

    assertThat(KeyFactory.getInstance("EC").generatePrivate(new PKCS8EncodedKeySpec(ec)))
        .isNotNull();
    if (rsaPair.wrappedPrivateKey().length > longestSecret()) {
      assertFails(Reason.UNSUPPORTED, () -> keys.reveal(rsaPair.wrappedPrivateKey()));
      return;
    }
    byte[] rsa = keys.reveal(rsaPair.wrappedPrivateKey());
    assertThat(
            ((RSAPrivateKey)
                    KeyFactory.getInstance("RSA").generatePrivate(new PKCS8EncodedKeySpec(rsa)))
                .getModulus()
                .bitLength())
        .isEqualTo(2048);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 7, 8, 33, ManagedKeys.MAX_CONTENT_BYTES})
  void whatIsStoredIsRevealed(int length) {

    byte[] content = random(length);
    byte[] blob = keys.store(content);

    if (length > longestSecret()) {
      assertFails(Reason.UNSUPPORTED, () -> keys.reveal(blob));
    } else {
      assertThat(keys.reveal(blob)).isEqualTo(content);
    }
  }

  /** The padding's zeros are not taken for the content's, nor the other way round. */
  @Test
  void zerosAtTheEndOfAContentAreKept() {
    for (int length : new int[] {1, 8, 13, 16, 20}) {
      assertThat(keys.reveal(keys.store(new byte[length]))).isEqualTo(new byte[length]);
    }
  }

  @Test
  void aBlobThatClaimsAnotherLengthIsRefused() {
    byte[] content = random(16);
    // What ends in zeros could be padded.
    content[content.length - 1] = 1;
    byte[] blob = keys.store(content);
    for (int padding : new int[] {1, 7, 8, 255}) {
      blob[blob.length - 1] = (byte) padding;
      assertFails(Reason.WRAPPED_KEY_INVALID, () -> keys.reveal(blob));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, ManagedKeys.MAX_CONTENT_BYTES + 1})
  void aContentBeyondTheLimitsIsRefused(int length) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> keys.store(new byte[length]))
        .withMessageContaining("from 1 to 3000");
  }

  @Test
  void aBlobThatIsDamagedOrForeignIsRefused() {
    byte[] blob = keys.generateAes(256);
    byte[] foreign;
    try (Pkcs11Hsm other = openWithOtherWrappingKey()) {
      foreign = other.managedKeys().generateAes(256);
    }

    for (byte[] refused :
        new byte[][] {
          withBitFlipped(blob, 0),
          withBitFlipped(blob, 39),
          foreign,
          NONE,
          random(39),
          random(8),
          random(4104)
        }) {
      assertFails(Reason.WRAPPED_KEY_INVALID, () -> keys.reveal(refused));
      assertFails(
          Reason.WRAPPED_KEY_INVALID, () -> keys.encrypt(refused, call(Mode.CTR), random(16)));
      assertFails(Reason.WRAPPED_KEY_INVALID, () -> keys.wrapUnder(blob, refused));
    }
    assertThat(hsm.failsToSign()).as("a client's mistakes are none of the device").isFalse();
  }

  @Test
  void aContentThatIsNoAesKeyDoesNotEncrypt() {
    byte[] blob = keys.store(random(33));

    for (int i = 0; i < 10; i++) {
      assertThatExceptionOfType(HsmException.class)
          .isThrownBy(() -> keys.encrypt(blob, call(Mode.CTR), random(16)));
      assertThatExceptionOfType(HsmException.class).isThrownBy(() -> keys.wrapUnder(blob, blob));
    }
    assertThat(hsm.failsToSign()).as("a client's mistakes are none of the device").isFalse();
    assertThat(keys.encrypt(keys.generateAes(128), call(Mode.CTR), random(16))).hasSize(16);
  }

  @Test
  void randomDataIsTheDevices() {
    assertThat(keys.random(4096)).hasSize(4096).isNotEqualTo(keys.random(4096));
    assertThat(keys.random(1)).hasSize(1);
    assertThatIllegalArgumentException().isThrownBy(() -> keys.random(4097));
  }

  /** While it is there: any other session of this process could use it. */
  @ParameterizedTest
  @EnumSource(SecretUse.class)
  void aSecretIsThereForOneUse(SecretUse use) {
    byte[] blob = keys.generateAes(256);
    Opening opening = hsm.opening();
    Brand brand = CkInfo.brand(opening.inSession(Session::functions));
    Map<String, Boolean> attributes =
        opening.inSession(session -> {
          try (ManagedSession managed =
              new ManagedSession(
                  session,
                  brand,
                  new Mechanisms(brand),
                  opening.wrappingKey(),
                  SecretUse.allUnwrapped(),
                  new ResultProofs(hsm.state()),
                  new AtomicInteger(),
                  new LogPace(System::nanoTime))) {
            long secret = managed.unwrap(Blob.parse(blob), use);
            return KeyAttributes.read(new ObjectAttributes(session, secret));
          }
        });

    Map<String, Boolean> expected = new TreeMap<>(attributes);
    expected.replaceAll((_, _) -> false);
    expected.put("CKA_PRIVATE", true);
    expected.put("CKA_MODIFIABLE", true);
    expected.put("CKA_SENSITIVE", use != SecretUse.READ);
    expected.put("CKA_EXTRACTABLE", true);
    List<String> allowed =
        switch (use) {
          case CIPHER -> List.of("ENCRYPT", "DECRYPT");
          case WRAP -> List.of("WRAP", "UNWRAP");
          case MAC -> List.of("SIGN");
          case LEAVE, READ -> List.of();
        };
    allowed.forEach(each -> expected.put("CKA_" + each, true));
    assertThat(attributes).containsExactlyInAnyOrderEntriesOf(expected);
  }

  private WrappedKey pair(KeySpec spec) {
    LiveKeyPair pair = hsm.generateExtractable(spec);
    WrappedKey wrapped = hsm.wrap(pair);
    assertThat(hsm.destroy(pair.privateKey())).isEqualTo(Destruction.DONE);
    return wrapped;
  }

  private static CipherCall call(Mode mode) {
    return switch (mode) {
      case ECB -> new CipherCall(mode, NONE, NONE, 0);
      case CBC, CBC_PAD, CTR -> new CipherCall(mode, random(16), NONE, 0);
      case GCM -> new CipherCall(mode, random(12), random(20), 16);
    };
  }

  private static byte[] jca(int direction, byte[] key, CipherCall call, byte[] data)
      throws GeneralSecurityException {
    Cipher cipher =
        Cipher.getInstance(
            switch (call.mode()) {
              case ECB -> "AES/ECB/NoPadding";
              case CBC -> "AES/CBC/NoPadding";
              case CBC_PAD -> "AES/CBC/PKCS5Padding";
              case CTR -> "AES/CTR/NoPadding";
              case GCM -> "AES/GCM/NoPadding";
            });
    SecretKeySpec aes = new SecretKeySpec(key, "AES");
    switch (call.mode()) {
      case ECB -> cipher.init(direction, aes);
      case CBC, CBC_PAD, CTR -> cipher.init(direction, aes, new IvParameterSpec(call.iv()));
      case GCM -> {
        cipher.init(direction, aes, new GCMParameterSpec(8 * call.tagBytes(), call.iv()));
        cipher.updateAAD(call.aad());
      }
    }
    return cipher.doFinal(data);
  }

  static void assertFails(Reason reason, Runnable call) {
    assertThatExceptionOfType(HsmException.class)
        .isThrownBy(call::run)
        .satisfies(e -> assertThat(e.reason()).as(e.getMessage()).isEqualTo(reason));
  }

  private static byte[] withBitFlipped(byte[] bytes, int at) {
    byte[] damaged = bytes.clone();
    damaged[at] ^= 1;
    return damaged;
  }

  private static byte[] random(int bytes) {
    byte[] random = new byte[bytes];
    new SecureRandom().nextBytes(random);
    return random;
  }
}
