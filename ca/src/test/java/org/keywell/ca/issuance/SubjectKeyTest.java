package org.keywell.ca.issuance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.math.BigInteger;
import java.security.KeyPairGenerator;
import java.util.Arrays;
import java.util.Random;
import org.bouncycastle.asn1.ASN1Encodable;
import org.bouncycastle.asn1.DERNull;
import org.bouncycastle.asn1.pkcs.PKCSObjectIdentifiers;
import org.bouncycastle.asn1.pkcs.RSAPublicKey;
import org.bouncycastle.asn1.x509.AlgorithmIdentifier;
import org.bouncycastle.asn1.x509.SubjectPublicKeyInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.keywell.ca.SubjectKeyPair;

class SubjectKeyTest {
  private static final BigInteger F4 = BigInteger.valueOf(65537);
  private static final BigInteger ODD_2048 = BigInteger.TWO.pow(2047).add(BigInteger.ONE);

  private static byte[] rsa(BigInteger modulus, BigInteger exponent) throws Exception {
    return rsa(DERNull.INSTANCE, modulus, exponent);
  }

  private static byte[] rsa(ASN1Encodable parameters, BigInteger modulus, BigInteger exponent)
      throws Exception {
    return new SubjectPublicKeyInfo(
            new AlgorithmIdentifier(PKCSObjectIdentifiers.rsaEncryption, parameters),
            new RSAPublicKey(modulus, exponent))
        .getEncoded("DER");
  }

  private static void refused(String why, byte[] key) {
    assertThatExceptionOfType(KeyNotAllowedException.class)
        .isThrownBy(() -> SubjectKey.decode(key))
        .satisfies(e -> assertThat(e.detail()).contains(why));
  }

  @Test
  void rsaKeysAreHeldToSizeAndExponent() throws Exception {
    assertThat(SubjectKey.decode(rsa(ODD_2048, F4))).isInstanceOf(SubjectKey.Rsa.class);
    refused("2047 bits", rsa(ODD_2048.shiftRight(1).setBit(0), F4));
    refused("4097 bits", rsa(BigInteger.TWO.pow(4096).add(BigInteger.ONE), F4));
    refused("not positive", rsa(ODD_2048.negate(), F4));
    refused("even", rsa(BigInteger.TWO.pow(2047), F4));
    for (long exponent : new long[] {-65537, 0, 1, 2, 3, 65536, 65539}) {
      refused("exponent", rsa(ODD_2048, BigInteger.valueOf(exponent)));
    }
    refused("NULL", rsa(new AlgorithmIdentifier(PKCSObjectIdentifiers.md5), ODD_2048, F4));
  }

  @ParameterizedTest
  @ValueSource(strings = {"secp521r1"})
  void otherCurvesAreRefused(String curve) {
    refused("curve", SubjectKeyPair.ec(curve).encoded());
  }

  @Test
  void otherAlgorithmsAreRefused() throws Exception {
    refused(
        "algorithm",
        KeyPairGenerator.getInstance("Ed25519").generateKeyPair().getPublic().getEncoded());
  }

  @Test
  void pointsAreUncompressedAndOnTheCurve() {
    byte[] key = SubjectKeyPair.ec("secp256r1").encoded();
    byte[] offCurve = key.clone();
    offCurve[key.length - 1] ^= 1;
    refused("not on its curve", offCurve);
    byte[] hybrid = key.clone();
    hybrid[key.length - 65] = 6;
    refused("uncompressed", hybrid);
  }

  @Test
  void onlyDerIsTaken() throws Exception {
    byte[] key = rsa(ODD_2048, F4);
    refused("DER", new byte[0]);
    refused("DER", new byte[] {5, 0});
    refused("DER", Arrays.copyOf(key, key.length + 1));
    refused("DER", Arrays.copyOf(key, key.length - 1));
    byte[] indefinite = new byte[key.length];
    // The outer length 82 xx xx becomes 80, and end-of-contents octets follow.
    indefinite[0] = key[0];
    indefinite[1] = (byte) 0x80;
    System.arraycopy(key, 4, indefinite, 2, key.length - 4);
    refused("DER", indefinite);
  }

  @Test
  void damagedKeysGiveNoOtherException() {
    Random random = new Random(7);
    byte[] rsa = SubjectKeyPair.rsa(2048).encoded();
    byte[] ec = SubjectKeyPair.ec("secp384r1").encoded();
    for (int i = 0; i < 20_000; i++) {
      byte[] damaged = (i % 2 == 0 ? rsa : ec).clone();
      for (int changes = 1 + random.nextInt(3); changes > 0; changes--) {
        damaged[random.nextInt(40)] = (byte) random.nextInt();
      }
      try {
        assertThat(SubjectKey.decode(damaged)).isNotNull();
      } catch (KeyNotAllowedException e) {
        assertThat(e.detail()).isNotBlank();
      }
    }
  }
}
