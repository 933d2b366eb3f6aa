package org.keywell.ca.issuance;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.keywell.ca.ProofDigest;
import org.keywell.ca.ProofOfPossession;
import org.keywell.ca.ProofScheme;
import org.keywell.ca.SubjectKeyPair;

/** Each scheme, digest and kind of key, against proofs that the JDK makes. */
class PossessionSchemesTest {
  private static final List<SubjectKeyPair> RSA =
      List.of(SubjectKeyPair.rsa(2048), SubjectKeyPair.rsa(3072), SubjectKeyPair.rsa(4096));
  private static final List<SubjectKeyPair> EC =
      List.of(SubjectKeyPair.ec("secp256r1"), SubjectKeyPair.ec("secp384r1"));

  static Stream<Arguments> combinations() {
    List<Arguments> combinations = new ArrayList<>();
    for (ProofScheme scheme : ProofScheme.values()) {
      for (ProofDigest digest : ProofDigest.values()) {
        for (SubjectKeyPair pair : pairs(scheme)) {
          combinations.add(Arguments.of(scheme, digest, pair));
        }
      }
    }
    return combinations.stream();
  }

  private static List<SubjectKeyPair> pairs(ProofScheme scheme) {
    return switch (scheme) {
      case RSASSA_PKCS1_V1_5, RSASSA_PSS -> RSA;
      case ECDSA -> EC;
      case ML_DSA_44, ML_DSA_65, ML_DSA_87 -> List.of(SubjectKeyPair.mlDsa(scheme));
    };
  }

  @ParameterizedTest
  @MethodSource("combinations")
  void aGoodProofHoldsAndAnyFlippedBitDoesNot(
      ProofScheme scheme, ProofDigest digest, SubjectKeyPair pair) throws Exception {
    SubjectKey key = SubjectKey.decode(pair.encoded());
    ProofOfPossession.SignedDigest proof = pair.prove(scheme, digest);
    assertThat(PossessionCheck.holds(key, proof)).isTrue();
    byte[] signature = proof.signature();
    for (int i = 0; i < signature.length; i += 13) {
      byte[] flipped = signature.clone();
      flipped[i] ^= 1;
      assertThat(PossessionCheck.holds(key, with(proof, proof.digest(), flipped))).isFalse();
    }
    byte[] otherDigest = proof.digest().clone();
    otherDigest[0] ^= (byte) 0x80;
    assertThat(PossessionCheck.holds(key, with(proof, otherDigest, signature))).isFalse();
  }

  @ParameterizedTest
  @MethodSource("combinations")
  void noOddLengthOrOtherSchemeHolds(ProofScheme scheme, ProofDigest digest, SubjectKeyPair pair)
      throws Exception {
    SubjectKey key = SubjectKey.decode(pair.encoded());
    ProofOfPossession.SignedDigest proof = pair.prove(scheme, digest);
    byte[] signature = proof.signature();
    byte[] largest = new byte[signature.length];
    Arrays.fill(largest, (byte) 0xFF);
    List<byte[]> odd =
        List.of(
            largest,
            new byte[0],
            new byte[signature.length],
            Arrays.copyOf(signature, signature.length + 1),
            Arrays.copyOf(signature, signature.length - 1));
    for (byte[] bad : odd) {
      assertThat(PossessionCheck.holds(key, with(proof, proof.digest(), bad))).isFalse();
    }
    for (byte[] bad : List.of(new byte[0], new byte[20], Arrays.copyOf(proof.digest(), 65))) {
      assertThat(PossessionCheck.holds(key, with(proof, bad, signature))).isFalse();
    }
    for (ProofScheme other : ProofScheme.values()) {
      var relabelled = new ProofOfPossession.SignedDigest(other, digest, proof.digest(), signature);
      assertThat(PossessionCheck.holds(key, relabelled)).isEqualTo(other == scheme);
    }
  }

  @Test
  void anotherHashFunctionOfTheSameLengthClassDoesNotHold() throws Exception {
    SubjectKeyPair pair = RSA.getFirst();
    ProofOfPossession.SignedDigest proof =
        pair.prove(ProofScheme.RSASSA_PKCS1_V1_5, ProofDigest.SHA_512);
    var relabelled =
        new ProofOfPossession.SignedDigest(
            proof.scheme(),
            ProofDigest.SHA_256,
            Arrays.copyOf(proof.digest(), 32),
            proof.signature());
    assertThat(PossessionCheck.holds(SubjectKey.decode(pair.encoded()), relabelled)).isFalse();
  }

  private static ProofOfPossession.SignedDigest with(
      ProofOfPossession.SignedDigest proof, byte[] digest, byte[] signature) {
    return new ProofOfPossession.SignedDigest(
        proof.scheme(), proof.digestAlgorithm(), digest, signature);
  }
}
