package org.keywell.ca.issuance;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import java.security.interfaces.ECPublicKey;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.bouncycastle.asn1.ASN1EncodableVector;
import org.bouncycastle.asn1.ASN1Integer;
import org.bouncycastle.asn1.ASN1Sequence;
import org.bouncycastle.asn1.DERSequence;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.keywell.ca.ProofOfPossession.SignedDigest;
import org.keywell.ca.SubjectKeyPair;

/**
 * An ECDSA proof has one encoding, DER (RFC 3279, section 2.2.3), and r and s are from 1 to n - 1
 * (FIPS 186-5, section 6.4.2).
 */
class EcdsaProofEncodingTest {
  private static final long SEED = 20261122;

  @ParameterizedTest
  @ValueSource(strings = {"secp256r1", "secp384r1"})
  void noOtherEncodingHolds(String curve) throws Exception {
    SubjectKeyPair pair = SubjectKeyPair.ec(curve);
    SignedDigest proof = pair.prove();
    assertThat(holds(pair, proof, proof.signature())).isTrue();

    Random random = new Random(SEED);
    Tlv signature = Tlv.of(proof.signature());
    assertThat(signature.written(random, 0)).isEqualTo(proof.signature());
    for (int i = 0; i < 5_000; i++) {
      byte[] other = signature.written(random, i % 2 == 0 ? 0.2 : 0.6);
      if (!Arrays.equals(other, proof.signature())) {
        assertThat(holds(pair, proof, other)).as(() -> HexFormat.of().formatHex(other)).isFalse();
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"secp256r1", "secp384r1"})
  void numbersOutOfRangeDoNotHold(String curve) throws Exception {
    SubjectKeyPair pair = SubjectKeyPair.ec(curve);
    SignedDigest proof = pair.prove();
    BigInteger n = ((ECPublicKey) pair.publicKey()).getParams().getOrder();
    ASN1Sequence numbers = ASN1Sequence.getInstance(proof.signature());
    BigInteger r = ASN1Integer.getInstance(numbers.getObjectAt(0)).getValue();
    BigInteger s = ASN1Integer.getInstance(numbers.getObjectAt(1)).getValue();
    assertThat(holds(pair, proof, encoded(r, s))).isTrue();

    for (BigInteger odd :
        List.of(
            BigInteger.ZERO, BigInteger.ONE.negate(), n, n.add(BigInteger.ONE), n.shiftLeft(9))) {
      assertThat(holds(pair, proof, encoded(odd, s))).as("r is %s", odd).isFalse();
      assertThat(holds(pair, proof, encoded(r, odd))).as("s is %s", odd).isFalse();
      assertThat(holds(pair, proof, encoded(odd, odd))).as("both are %s", odd).isFalse();
    }
    // Equal to those that hold, modulo n.
    for (BigInteger turns : List.of(n, n.negate())) {
      assertThat(holds(pair, proof, encoded(r.add(turns), s))).isFalse();
      assertThat(holds(pair, proof, encoded(r, s.add(turns)))).isFalse();
    }
    assertThat(holds(pair, proof, encoded(r))).as("one number").isFalse();
    assertThat(holds(pair, proof, encoded(r, s, s))).as("three numbers").isFalse();
  }

  private static byte[] encoded(BigInteger... numbers) throws Exception {
    ASN1EncodableVector sequence = new ASN1EncodableVector();
    for (BigInteger number : numbers) {
      sequence.add(new ASN1Integer(number));
    }
    return new DERSequence(sequence).getEncoded("DER");
  }

  private static boolean holds(SubjectKeyPair pair, SignedDigest proof, byte[] signature)
      throws Exception {
    return PossessionCheck.holds(
        SubjectKey.decode(pair.encoded()),
        new SignedDigest(proof.scheme(), proof.digestAlgorithm(), proof.digest(), signature));
  }
}
