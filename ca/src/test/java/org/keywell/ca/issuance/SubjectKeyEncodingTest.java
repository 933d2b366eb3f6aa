package org.keywell.ca.issuance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.bouncycastle.asn1.ASN1Encodable;
import org.bouncycastle.asn1.ASN1ObjectIdentifier;
import org.bouncycastle.asn1.DERNull;
import org.bouncycastle.asn1.sec.SECObjectIdentifiers;
import org.bouncycastle.asn1.x509.AlgorithmIdentifier;
import org.bouncycastle.asn1.x509.SubjectPublicKeyInfo;
import org.bouncycastle.asn1.x9.ECNamedCurveTable;
import org.bouncycastle.asn1.x9.X9ObjectIdentifiers;
import org.bouncycastle.math.ec.ECPoint;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.keywell.ca.ProofScheme;
import org.keywell.ca.SubjectKeyPair;

/**
 * One key has one encoding: code that knows a key by its octets, as the database does, must not
 * meet the same key again in others.
 */
class SubjectKeyEncodingTest {
  private static final long SEED = 20261122;

  private static final Sample EC_P256 = new Sample("EC-P256", SubjectKeyPair.ec("secp256r1"));
  private static final Sample RSA_2048 = new Sample("RSA-2048", SubjectKeyPair.rsa(2048));

  private static List<Sample> samples() {
    return List.of(
        EC_P256,
        new Sample("EC-P384", SubjectKeyPair.ec("secp384r1")),
        RSA_2048,
        new Sample("ML-DSA-44", SubjectKeyPair.mlDsa(ProofScheme.ML_DSA_44)),
        new Sample("RSA-3072", SubjectKeyPair.rsa(3072)));
  }

  record Sample(String kind, byte[] encoded) {

    Sample(String kind, SubjectKeyPair pair) {
      this(kind, pair.encoded());
    }

    /** What the key is, whatever its octets. */
    List<?> identity() {
      return decoded(encoded).orElseThrow();
    }

    @Override
    public String toString() {
      return kind;
    }
  }

  /** What a key is; empty if it is refused. */
  private static Optional<List<?>> decoded(byte[] der) {
    try {
      return Optional.of(
          switch (SubjectKey.decode(der)) {
            case SubjectKey.Rsa rsa -> List.of(rsa.key().getModulus(), rsa.key().getExponent());
            case SubjectKey.Ec ec -> List.of(ec.key().getParameters(), ec.key().getQ());
            case SubjectKey.MlDsa mlDsa ->
                List.of(mlDsa.scheme(), HexFormat.of().formatHex(mlDsa.key().getEncoded()));
          });
    } catch (KeyNotAllowedException e) {
      return Optional.empty();
    }
  }

  private static void refusedOrAnotherKey(Sample sample, byte[] changed) {
    if (!Arrays.equals(changed, sample.encoded)) {
      assertThat(decoded(changed))
          .as(() -> "read from " + HexFormat.of().formatHex(changed))
          .isNotEqualTo(Optional.of(sample.identity()));
    }
  }

  @ParameterizedTest
  @MethodSource("samples")
  void noChangeOfOneByteGivesTheSameKey(Sample sample) {
    for (int at = 0; at < sample.encoded.length; at++) {
      for (int bits = 1; bits < 256; bits++) {
        byte[] changed = sample.encoded.clone();
        changed[at] ^= (byte) bits;
        refusedOrAnotherKey(sample, changed);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("samples")
  void noEncodingInBerGivesTheSameKey(Sample sample) {
    Random random = new Random(SEED);
    Tlv key = Tlv.of(sample.encoded);
    assertThat(key.written(random, 0)).isEqualTo(sample.encoded);
    for (int i = 0; i < 5_000; i++) {
      refusedOrAnotherKey(sample, key.written(random, i % 2 == 0 ? 0.1 : 0.4));
    }
  }

  /** Unused bits of the BIT STRING: the point ends in as many zeros, so that none is lost. */
  @Test
  void padBitsAreRefused() {
    byte[] key =
        Stream.generate(() -> SubjectKeyPair.ec("secp256r1").encoded())
            .filter(encoded -> (encoded[encoded.length - 1] & 7) == 0)
            .findFirst()
            .orElseThrow();
    for (int bits = 1; bits <= 7; bits++) {
      byte[] padded = key.clone();
      padded[padded.length - 66] = (byte) bits;
      assertThatExceptionOfType(KeyNotAllowedException.class)
          .as("%s unused bits", bits)
          .isThrownBy(() -> SubjectKey.decode(padded));
    }
  }

  @Test
  void compressedAndHybridPointsAreRefused() throws Exception {
    byte[] key = EC_P256.encoded;
    byte[] encoded = Arrays.copyOfRange(key, key.length - 65, key.length);
    ECPoint point = ECNamedCurveTable.getByName("P-256").getCurve().decodePoint(encoded);
    byte[] hybrid = encoded.clone();
    hybrid[0] = (byte) (6 + (encoded[64] & 1));

    assertThat(decoded(ec(SECObjectIdentifiers.secp256r1, encoded))).isPresent();
    assertThat(decoded(ec(SECObjectIdentifiers.secp256r1, point.getEncoded(true)))).isEmpty();
    assertThat(decoded(ec(SECObjectIdentifiers.secp256r1, hybrid))).isEmpty();
    assertThat(decoded(ec(SECObjectIdentifiers.secp256r1, new byte[] {0}))).isEmpty();
  }

  @Test
  void otherParametersAreRefused() throws Exception {
    byte[] key = EC_P256.encoded;
    byte[] point = Arrays.copyOfRange(key, key.length - 65, key.length);
    assertThat(decoded(ec(ECNamedCurveTable.getByName("P-256"), point))).as("explicit").isEmpty();
    assertThat(decoded(ec(DERNull.INSTANCE, point))).isEmpty();
    assertThat(decoded(ec(null, point))).isEmpty();
    assertThat(decoded(ec(SECObjectIdentifiers.secp256k1, point))).isEmpty();

    SubjectPublicKeyInfo rsa = SubjectPublicKeyInfo.getInstance(RSA_2048.encoded);
    ASN1ObjectIdentifier algorithm = rsa.getAlgorithm().getAlgorithm();
    for (AlgorithmIdentifier other :
        List.of(
            new AlgorithmIdentifier(algorithm),
            new AlgorithmIdentifier(algorithm, algorithm),
            new AlgorithmIdentifier(new ASN1ObjectIdentifier("1.2.840.113549.1.1.10")))) {
      assertThat(decoded(new SubjectPublicKeyInfo(other, rsa.parsePublicKey()).getEncoded("DER")))
          .isEmpty();
    }
  }

  private static byte[] ec(@Nullable ASN1Encodable parameters, byte[] point) throws Exception {
    return new SubjectPublicKeyInfo(
            new AlgorithmIdentifier(X9ObjectIdentifiers.id_ecPublicKey, parameters), point)
        .getEncoded("DER");
  }

  @ParameterizedTest
  @MethodSource("samples")
  void nothingMayFollow(Sample sample) {
    IntStream.rangeClosed(1, 4)
        .forEach(more ->
            assertThat(decoded(Arrays.copyOf(sample.encoded, sample.encoded.length + more)))
                .isEmpty());
  }
}
