package org.keywell.ca.issuance;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.SecureRandom;
import java.security.Signature;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Base64;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import javax.security.auth.x500.X500Principal;
import org.bouncycastle.asn1.ASN1EncodableVector;
import org.bouncycastle.asn1.ASN1Encoding;
import org.bouncycastle.asn1.DERBitString;
import org.bouncycastle.asn1.DERSequence;
import org.bouncycastle.asn1.pkcs.PKCSObjectIdentifiers;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.ExtensionsGenerator;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.bouncycastle.pkcs.PKCS10CertificationRequest;
import org.bouncycastle.pkcs.jcajce.JcaPKCS10CertificationRequestBuilder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.keywell.ca.CertificateProfiles;
import org.keywell.ca.Certification;
import org.keywell.ca.ProfileBuilder;
import org.keywell.ca.ServerNames;
import org.keywell.ca.token.CaKeySpec;
import org.keywell.ca.token.SoftwareCa;
import org.keywell.testkit.Mutations;

/** Each altered PKCS #10 request is certified or refused; nothing is thrown. */
@Timeout(120)
final class RequestMutationTest {

  private static final int EACH = 3_000;
  private static final ServerNames NAMES = ServerNames.of(List.of("keywell.example"), false);

  private final Mutations der = Mutations.ofDer();
  private final ServerCertificates authority =
      new ServerCertificates(
          SoftwareCa.issuingKey(CaKeySpec.EC_P256),
          CertificateProfiles.ofStandard(new ProfileBuilder().settings()),
          Duration.ofDays(90),
          InstantSource.system(),
          new SecureRandom());
  private final Set<Certification.Reason> seen = EnumSet.noneOf(Certification.Reason.class);
  private int certified;

  private void check(byte[] request, int seed) {
    try {
      switch (authority.issue(request, NAMES)) {
        case Certification.Certified _ -> certified++;
        case Certification.Refused refused -> seen.add(refused.reason());
      }
    } catch (RuntimeException | StackOverflowError e) {
      throw new AssertionError("seed %d: %s".formatted(seed, e), e);
    }
  }

  private static KeyPair pair(String algorithm) throws Exception {
    KeyPairGenerator generator = KeyPairGenerator.getInstance(algorithm);
    generator.initialize(algorithm.equals("EC") ? 256 : 2048);
    return generator.generateKeyPair();
  }

  private static PKCS10CertificationRequest request(KeyPair pair) throws Exception {
    ExtensionsGenerator wanted = new ExtensionsGenerator();
    wanted.addExtension(Extension.basicConstraints, true, new BasicConstraints(0));
    return new JcaPKCS10CertificationRequestBuilder(
            new X500Principal("CN=not.example, O=\u00c5\u00c4\u00d6, C=SE"), pair.getPublic())
        .addAttribute(PKCSObjectIdentifiers.pkcs_9_at_extensionRequest, wanted.generate())
        .build(new JcaContentSignerBuilder(algorithm(pair)).build(pair.getPrivate()));
  }

  private static String algorithm(KeyPair pair) {
    return "SHA256with" + (pair.getPrivate().getAlgorithm().equals("EC") ? "ECDSA" : "RSA");
  }

  @ParameterizedTest
  @ValueSource(strings = {"EC", "RSA"})
  void alteredRequestsAreRefused(String algorithm) throws Exception {
    byte[] good = request(pair(algorithm)).getEncoded();
    for (int seed = 0; seed < EACH; seed++) {
      check(der.of(good, new Random(seed)), seed);
    }
    assertThat(seen).contains(Certification.Reason.POSSESSION_NOT_PROVEN);
  }

  @Test
  void alteredPemIsRefused() throws Exception {
    byte[] good =
        "-----BEGIN CERTIFICATE REQUEST-----\n%s\n-----END CERTIFICATE REQUEST-----\n"
            .formatted(Base64.getMimeEncoder().encodeToString(request(pair("EC")).getEncoded()))
            .getBytes(US_ASCII);
    for (int seed = 0; seed < EACH; seed++) {
      byte[] altered = Mutations.ofHead().of(good, new Random(seed));
      check(new String(altered, ISO_8859_1).getBytes(ISO_8859_1), seed);
    }
    assertThat(seen).contains(Certification.Reason.POSSESSION_NOT_PROVEN);
  }

  /** Of one who has the key, and asks for nonsense. */
  @Test
  void alteredContentIsCertifiedOrRefused() throws Exception {
    KeyPair pair = pair("EC");
    PKCS10CertificationRequest request = request(pair);
    byte[] good = request.toASN1Structure().getCertificationRequestInfo().getEncoded("DER");
    for (int seed = 0; seed < EACH; seed++) {
      byte[] altered = der.of(good, new Random(seed));
      Signature signature = Signature.getInstance(algorithm(pair));
      signature.initSign(pair.getPrivate());
      signature.update(altered);
      ASN1EncodableVector rest = new ASN1EncodableVector();
      rest.add(request.toASN1Structure().getSignatureAlgorithm());
      rest.add(new DERBitString(signature.sign()));
      check(around(altered, new DERSequence(rest).getEncoded(ASN1Encoding.DER)), seed);
    }
    assertThat(certified).as("what it asks for has no effect").isPositive();
    assertThat(seen).contains(Certification.Reason.POSSESSION_NOT_PROVEN);
  }

  /** Puts the content before the others of a sequence, as it is. */
  private static byte[] around(byte[] content, byte[] sequence) {
    int head = sequence[1] >= 0 ? 2 : 2 + (sequence[1] & 0x7F);
    int length = content.length + sequence.length - head;
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    all.writeBytes(new byte[] {0x30, (byte) 0x83});
    all.writeBytes(new byte[] {(byte) (length >> 16), (byte) (length >> 8), (byte) length});
    all.writeBytes(content);
    all.write(sequence, head, sequence.length - head);
    return all.toByteArray();
  }
}
