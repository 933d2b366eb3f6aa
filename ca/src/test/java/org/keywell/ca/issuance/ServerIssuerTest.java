package org.keywell.ca.issuance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.SecureRandom;
import java.security.Security;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.keywell.ca.CertificateProfiles;
import org.keywell.ca.Certification;
import org.keywell.ca.Certification.Certified;
import org.keywell.ca.Certification.Reason;
import org.keywell.ca.Certification.Refused;
import org.keywell.ca.OpenSsl;
import org.keywell.ca.ProfileBuilder;
import org.keywell.ca.ProfileSettings;
import org.keywell.ca.ProofDigest;
import org.keywell.ca.ProofScheme;
import org.keywell.ca.SampleProfiles;
import org.keywell.ca.ServerNames;
import org.keywell.ca.SubjectKeyPair;
import org.keywell.ca.token.CaKeySpec;
import org.keywell.ca.token.PemCertificates;
import org.keywell.ca.token.SoftwareCa;

/** Which CA certifies servers. */
final class ServerIssuerTest {
  private static final CertificateProfiles SIGNERS =
      CertificateProfiles.ofStandard(ProfileSettings.defaults());
  private static final ServerNames NAMES =
      ServerNames.of(List.of("keywell.example", "localhost", "192.0.2.7", "2001:db8::7"), false);
  private static final String REQUEST =
      "-----BEGIN CERTIFICATE REQUEST-----\n%s\n-----END CERTIFICATE REQUEST-----\n"
          .formatted(
              Base64.getMimeEncoder()
                  .encodeToString(
                      SubjectKeyPair.ec("secp256r1")
                          .requestToBeCertified(ProofScheme.ECDSA, ProofDigest.SHA_256)
                          .request()));

  @TempDir private Path directory;

  /** A signer's digest is the caller's; with this key usage it could be that of a handshake. */
  @ParameterizedTest
  @CsvSource({
    "digitalSignature, '', false",
    "digitalSignature, 1.3.6.1.5.5.7.3.1, false",
    "digitalSignature, 2.5.29.37.0, false",
    "digitalSignature, 1.3.6.1.5.5.7.3.36, true",
    "contentCommitment, '', true"
  })
  void signersMustNotPassAsServers(String usage, String purpose, boolean allowed) {
    ProfileBuilder profile = new ProfileBuilder().keyUsage(usage);
    CertificateProfiles beside =
        CertificateProfiles.ofStandard(
            (purpose.isEmpty() ? profile : profile.extendedKeyUsage(purpose)).settings());
    IssuingKey key = SoftwareCa.issuingKey(CaKeySpec.EC_P256);
    if (allowed) {
      assertThat(authority(key, beside).issue(REQUEST, NAMES)).isInstanceOf(Certified.class);
    } else {
      assertThatExceptionOfType(IssuingKeyException.class)
          .isThrownBy(() -> authority(key, beside))
          .withMessageContaining("standard");
    }
  }

  @Test
  void aQualifiedCaCertifiesNoServers() {
    assertThatExceptionOfType(IssuingKeyException.class)
        .isThrownBy(() -> authority(SoftwareCa.issuingKey(CaKeySpec.EC_P256), SampleProfiles.all()))
        .withMessageContaining("another CA");
  }

  private static ServerCertificates authority(IssuingKey key, CertificateProfiles beside) {
    return new ServerCertificates(
        key, beside, Duration.ofDays(90), InstantSource.system(), new SecureRandom());
  }

  /** Another CA has certified the issuing key, and may have limited it. */
  @ParameterizedTest
  @CsvSource({
    "'', true",
    "extendedKeyUsage=serverAuth, true",
    "'nameConstraints=critical,permitted;DNS:example,permitted;DNS:localhost,permitted;IP:192.0.2.0/255.255.255.0,permitted;IP:2001:db8:0:0:0:0:0:0/ffff:ffff:0:0:0:0:0:0', true",
    "'nameConstraints=critical,permitted;DNS:other.example', false",
    "policyConstraints=requireExplicitPolicy:0, false"
  })
  void whatItsCertificatesDoNotAllowIsNotIssued(String extension, boolean allowed)
      throws Exception {
    Certification answer = authority(constrained(extension), SIGNERS).issue(REQUEST, NAMES);
    if (allowed) {
      assertThat(answer).isInstanceOf(Certified.class);
    } else {
      assertThat(answer)
          .isInstanceOfSatisfying(
              Refused.class,
              refused -> assertThat(refused.reason()).isEqualTo(Reason.SUBJECT_NOT_ALLOWED));
    }
  }

  @Test
  void anIssuerForSomethingElseCertifiesNoServers() throws Exception {
    IssuingKey key = constrained("extendedKeyUsage=clientAuth,1.3.6.1.5.5.7.3.36");
    assertThatExceptionOfType(IssuingKeyException.class)
        .isThrownBy(() -> authority(key, SIGNERS))
        .withMessageContaining("extended key usage");
  }

  private IssuingKey constrained(String extension) throws Exception {
    String[] ec = {"-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"};
    OpenSsl openssl = new OpenSsl(directory);
    openssl.run(
        with(
            ec,
            "req",
            "-x509",
            "-keyout",
            "r.key",
            "-out",
            "r.pem",
            "-subj",
            "/CN=Root",
            "-days",
            "400"));
    openssl.run(with(ec, "req", "-new", "-keyout", "i.key", "-out", "i.csr", "-subj", "/CN=I"));
    openssl.write(
        "i.ext",
        "basicConstraints=critical,CA:TRUE,pathlen:0\nkeyUsage=critical,keyCertSign\n"
            + "subjectKeyIdentifier=hash\nauthorityKeyIdentifier=keyid\n"
            + extension
            + "\n");
    openssl.run(
        "x509",
        "-req",
        "-in",
        "i.csr",
        "-CA",
        "r.pem",
        "-CAkey",
        "r.key",
        "-CAcreateserial",
        "-extfile",
        "i.ext",
        "-days",
        "300",
        "-out",
        "i.pem");
    openssl.run("pkcs8", "-topk8", "-nocrypt", "-outform", "DER", "-in", "i.key", "-out", "i.der");
    PrivateKey key =
        KeyFactory.getInstance("EC")
            .generatePrivate(
                new PKCS8EncodedKeySpec(Files.readAllBytes(directory.resolve("i.der"))));
    List<X509Certificate> chain =
        PemCertificates.read(openssl.read("i.pem") + openssl.read("r.pem"));
    return new IssuingKey(key, Security.getProvider("SunEC"), chain);
  }

  private static String[] with(String[] more, String... arguments) {
    List<String> all = new ArrayList<>(List.of(arguments));
    all.addAll(List.of(more));
    return all.toArray(String[]::new);
  }
}
