package org.keywell.ca.issuance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.bouncycastle.asn1.ASN1Encoding;
import org.bouncycastle.asn1.DERBitString;
import org.bouncycastle.asn1.DERNull;
import org.bouncycastle.asn1.pkcs.CertificationRequest;
import org.bouncycastle.asn1.pkcs.PKCSObjectIdentifiers;
import org.bouncycastle.asn1.x509.AlgorithmIdentifier;
import org.bouncycastle.operator.DefaultSignatureAlgorithmIdentifierFinder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.keywell.ca.OpenSsl;
import org.keywell.ca.ProofDigest;
import org.keywell.ca.ProofOfPossession.SignedRequest;
import org.keywell.ca.ProofScheme;
import org.keywell.ca.SubjectKeyPair;

/** What a key signs to be certified, and what is taken for it. */
class PossessionRequestTest {

  private static final SubjectKeyPair RSA = SubjectKeyPair.rsa(2048);
  private static final SubjectKeyPair P256 = SubjectKeyPair.ec("secp256r1");
  private static final SubjectKeyPair P384 = SubjectKeyPair.ec("secp384r1");

  @TempDir Path directory;

  static Stream<Arguments> combinations() {
    List<Arguments> combinations = new ArrayList<>();
    // Those of ML-DSA are tested apart: not every openssl verifies them.
    for (ProofScheme scheme : EnumSet.range(ProofScheme.RSASSA_PKCS1_V1_5, ProofScheme.ECDSA)) {
      for (ProofDigest digest : ProofDigest.values()) {
        for (SubjectKeyPair pair :
            scheme == ProofScheme.ECDSA ? List.of(P256, P384) : List.of(RSA)) {
          combinations.add(Arguments.of(scheme, digest, pair));
        }
      }
    }
    return combinations.stream();
  }

  @ParameterizedTest
  @MethodSource("combinations")
  void aKeysOwnRequestHoldsAndOpensslTakesItToo(
      ProofScheme scheme, ProofDigest digest, SubjectKeyPair pair) throws Exception {
    byte[] request = pair.requestToBeCertified(scheme, digest).request();

    assertThat(holds(pair, request)).isTrue();
    Files.write(directory.resolve("request"), request);
    OpenSsl openssl = new OpenSsl(directory);
    assertThat(openssl.run("req", "-inform", "DER", "-in", "request", "-noout", "-verify"))
        .contains("verify OK");
    request[request.length - 1] ^= 1;
    Files.write(directory.resolve("request"), request);
    assertThat(openssl.run("req", "-inform", "DER", "-in", "request", "-noout", "-verify"))
        .contains("verify failure");
  }

  @ParameterizedTest
  @MethodSource("combinations")
  void noAlteredRequestHolds(ProofScheme scheme, ProofDigest digest, SubjectKeyPair pair)
      throws Exception {
    byte[] request = pair.requestToBeCertified(scheme, digest).request();
    for (int i = 0; i < request.length; i++) {
      byte[] altered = request.clone();
      altered[i] ^= 1;
      assertThat(holds(pair, altered)).as("octet %s of %s", i, request.length).isFalse();
    }
    for (int length : new int[] {0, 1, request.length - 1, request.length + 1}) {
      assertThat(holds(pair, Arrays.copyOf(request, length))).as("%s octets", length).isFalse();
    }
  }

  @Test
  void aRequestOfAnotherKeyProvesNothing() throws Exception {
    byte[] others =
        SubjectKeyPair.rsa(2048)
            .requestToBeCertified(ProofScheme.RSASSA_PSS, ProofDigest.SHA_256)
            .request();

    assertThat(holds(RSA, others)).isFalse();
  }

  /** It is for this key, and signed; only not by it. */
  @Test
  void aRequestForThisKeyThatAnotherSignedProvesNothing() throws Exception {
    SubjectKeyPair other = SubjectKeyPair.ec("secp256r1");
    byte[] content = info(P256.requestToBeCertified(ProofScheme.ECDSA, ProofDigest.SHA_256));
    CertificationRequest own =
        CertificationRequest.getInstance(
            P256.requestToBeCertified(ProofScheme.ECDSA, ProofDigest.SHA_256).request());
    byte[] signature = other.sign(ProofScheme.ECDSA, ProofDigest.SHA_256, content);

    assertThat(holds(P256, with(own, own.getSignatureAlgorithm(), signature))).isFalse();
  }

  static Stream<AlgorithmIdentifier> otherAlgorithms() {
    var finder = new DefaultSignatureAlgorithmIdentifierFinder();
    return Stream.of(
        finder.find("SHA1WITHRSA"),
        finder.find("SHA512WITHRSA"),
        finder.find("SHA256WITHRSAANDMGF1"),
        finder.find("ED25519"),
        new AlgorithmIdentifier(PKCSObjectIdentifiers.id_RSASSA_PSS),
        new AlgorithmIdentifier(PKCSObjectIdentifiers.rsaEncryption, DERNull.INSTANCE));
  }

  @ParameterizedTest
  @MethodSource("otherAlgorithms")
  void aRequestUnderAnotherAlgorithmsNameDoesNotHold(AlgorithmIdentifier other) throws Exception {
    CertificationRequest request =
        CertificationRequest.getInstance(
            RSA.requestToBeCertified(ProofScheme.RSASSA_PKCS1_V1_5, ProofDigest.SHA_256).request());
    byte[] signature = request.getSignature().getOctets();

    assertThat(holds(RSA, with(request, request.getSignatureAlgorithm(), signature))).isTrue();
    assertThat(holds(RSA, with(request, other, signature))).isFalse();
  }

  /** So that none can be known before it is drawn, and each key has its own. */
  @Test
  void eachHasRandomOctetsOfItsOwn() {
    Set<String> digests = new HashSet<>();
    for (int i = 0; i < 1_000; i++) {
      PossessionRequest request =
          new PossessionRequest(
              P256.encoded(), ProofScheme.ECDSA, ProofDigest.SHA_256, new SecureRandom());
      digests.add(HexFormat.of().formatHex(request.toSign()));
      assertThat(request.toSign()).as("it stays what it is").isEqualTo(request.toSign());
    }
    assertThat(digests).hasSize(1_000);
  }

  /** It asks for no certificate in anybody's name, and is no set of CMS attributes (RFC 5652). */
  @Test
  void itSaysWhatItIs() throws Exception {
    byte[] request =
        RSA.requestToBeCertified(ProofScheme.RSASSA_PSS, ProofDigest.SHA_256).request();
    CertificationRequest parsed = CertificationRequest.getInstance(request);

    assertThat(parsed.getCertificationRequestInfo().getSubject())
        .hasToString("CN=Keywell proof of possession");
    assertThat(info(new SignedRequest(request))[0]).as("SEQUENCE, not SET").isEqualTo((byte) 0x30);
  }

  @Test
  void whatIsNoPublicKeyIsRefused() {
    for (byte[] odd : List.of(new byte[0], new byte[] {1, 2, 3}, new byte[] {0x30, 0x00})) {
      assertThatThrownBy(() ->
              new PossessionRequest(
                  odd, ProofScheme.ECDSA, ProofDigest.SHA_256, new SecureRandom()))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  private static boolean holds(SubjectKeyPair pair, byte[] request) throws Exception {
    return PossessionCheck.holds(SubjectKey.decode(pair.encoded()), new SignedRequest(request));
  }

  private static byte[] info(SignedRequest request) throws Exception {
    return CertificationRequest.getInstance(request.request())
        .getCertificationRequestInfo()
        .getEncoded(ASN1Encoding.DER);
  }

  private static byte[] with(
      CertificationRequest request, AlgorithmIdentifier algorithm, byte[] signature)
      throws Exception {
    return new CertificationRequest(
            request.getCertificationRequestInfo(), algorithm, new DERBitString(signature))
        .getEncoded(ASN1Encoding.DER);
  }
}
