package org.keywell.keypool.hsm.pkcs11;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.interfaces.RSAPublicKey;
import java.security.spec.MGF1ParameterSpec;
import java.security.spec.PSSParameterSpec;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.keywell.keypool.hsm.DigestAlgorithm;
import org.keywell.keypool.hsm.SignatureScheme;

/** Against signatures that the JDK makes. */
final class RsaVerificationTest {
  private static final KeyPair KEYS = rsa(2048);
  private static final KeyPair OTHERS = rsa(2048);

  private static KeyPair rsa(int bits) {
    try {
      KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
      generator.initialize(bits);
      return generator.generateKeyPair();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  static Stream<Arguments> schemes() {
    return Stream.of(SignatureScheme.RSASSA_PKCS1_V1_5, SignatureScheme.RSASSA_PSS)
        .flatMap(scheme ->
            Arrays.stream(DigestAlgorithm.values()).map(hash -> Arguments.of(scheme, hash)));
  }

  @ParameterizedTest
  @MethodSource("schemes")
  void takesARightSignatureAndNoOther(SignatureScheme scheme, DigestAlgorithm hash)
      throws Exception {
    byte[] digest = digest(hash, "message");
    byte[] signature = sign(KEYS, scheme, hash, hash.lengthBytes());

    assertThat(verifies(KEYS, scheme, hash, digest, signature)).isTrue();
    assertThat(verifies(OTHERS, scheme, hash, digest, signature)).isFalse();
    assertThat(verifies(KEYS, scheme, hash, digest(hash, "other"), signature)).isFalse();
    assertThat(verifies(KEYS, other(scheme), hash, digest, signature)).isFalse();
    for (int at = 0; at < signature.length; at += 5) {
      byte[] damaged = signature.clone();
      damaged[at] ^= (byte) (1 << at % 8);
      assertThat(verifies(KEYS, scheme, hash, digest, damaged)).as("bit of byte %d", at).isFalse();
    }
  }

  @ParameterizedTest
  @MethodSource("schemes")
  void takesNothingOfAnotherLengthOrBeyondTheModulus(SignatureScheme scheme, DigestAlgorithm hash)
      throws Exception {
    byte[] digest = digest(hash, "message");
    byte[] signature = sign(KEYS, scheme, hash, hash.lengthBytes());
    BigInteger modulus = ((RSAPublicKey) KEYS.getPublic()).getModulus();
    byte[] beyond = new BigInteger(1, signature).add(modulus).toByteArray();

    for (byte[] wrong :
        new byte[][] {new byte[0], new byte[256], Arrays.copyOf(signature, 255), beyond}) {
      assertThat(verifies(KEYS, scheme, hash, digest, wrong)).isFalse();
    }
  }

  /** Other salts are right to others, but not what the device was asked for. */
  @ParameterizedTest
  @MethodSource("schemes")
  void takesNoOtherSalt(SignatureScheme scheme, DigestAlgorithm hash) throws Exception {
    byte[] signature = sign(KEYS, SignatureScheme.RSASSA_PSS, hash, 20);

    assertThat(verifies(KEYS, scheme, hash, digest(hash, "message"), signature)).isFalse();
  }

  private static SignatureScheme other(SignatureScheme scheme) {
    return scheme == SignatureScheme.RSASSA_PSS
        ? SignatureScheme.RSASSA_PKCS1_V1_5
        : SignatureScheme.RSASSA_PSS;
  }

  private static boolean verifies(
      KeyPair keys, SignatureScheme scheme, DigestAlgorithm hash, byte[] digest, byte[] signature) {
    RSAPublicKey key = (RSAPublicKey) keys.getPublic();
    return new RsaVerification(key.getModulus(), key.getPublicExponent())
        .verifies(scheme, hash, digest, signature);
  }

  private static byte[] digest(DigestAlgorithm hash, String message) throws Exception {
    return MessageDigest.getInstance(hash.label()).digest(message.getBytes(US_ASCII));
  }

  private static byte[] sign(KeyPair keys, SignatureScheme scheme, DigestAlgorithm hash, int salt)
      throws Exception {
    boolean pss = scheme == SignatureScheme.RSASSA_PSS;
    Signature signer =
        Signature.getInstance(pss ? "RSASSA-PSS" : hash.label().replace("-", "") + "withRSA");
    if (pss) {
      signer.setParameter(
          new PSSParameterSpec(
              hash.label(),
              "MGF1",
              new MGF1ParameterSpec(hash.label()),
              salt,
              PSSParameterSpec.TRAILER_FIELD_BC));
    }
    signer.initSign(keys.getPrivate(), new SecureRandom());
    signer.update("message".getBytes(US_ASCII));
    return signer.sign();
  }
}
