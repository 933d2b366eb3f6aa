package org.keywell.ca.issuance;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.keywell.ca.CertificateAuthority;
import org.keywell.ca.CertificateProfile;
import org.keywell.ca.Certificates;
import org.keywell.ca.OpenSsl;
import org.keywell.ca.ProfileSettings;
import org.keywell.ca.Subject;
import org.keywell.ca.SubjectKeyPair;
import org.keywell.ca.token.PemCertificates;
import org.keywell.ca.token.SoftwareCa;

/** What is in a certificate, as openssl and the JDK read it. */
class CertificateContentTest {
  private static final ProfileSettings FULL =
      new ProfileSettings(
          Duration.ofDays(30),
          Duration.ofMinutes(1),
          Duration.ofMinutes(10),
          List.of("0.4.0.194112.1.2", "2.999.7"),
          "https://example.org/cps",
          List.of("http://example.org/a.crl", "http://example.com/a.crl"),
          List.of("http://example.org/issuing.cer"),
          List.of("contentCommitment", "digitalSignature"),
          List.of("1.3.6.1.5.5.7.3.36"),
          false);
  private static final ProfileSettings NO_REVOCATION =
      new ProfileSettings(
          Duration.ofHours(1),
          Duration.ofMinutes(1),
          Duration.ZERO,
          List.of(),
          null,
          List.of(),
          List.of(),
          List.of("contentCommitment"),
          List.of(),
          true);
  private static final Subject PERSON =
      new Subject("Åsa \"#1\" Öberg", "Åsa", "Öberg", "PNOSE-198001011234", "Org", "Unit", "SE");

  @TempDir private Path directory;

  private static X509Certificate issue(CertificateAuthority authority) {
    return Certificates.of(authority.certify(SubjectKeyPair.rsa(2048).request(PERSON)));
  }

  private String text(X509Certificate certificate) {
    OpenSsl openssl = new OpenSsl(directory);
    openssl.write("c.pem", PemCertificates.write(List.of(certificate)));
    return openssl.run(
        "x509", "-in", "c.pem", "-noout", "-text", "-nameopt", "sep_comma_plus,utf8");
  }

  @Test
  void aFullProfileIsAllThere() {
    CertificateAuthority authority = SoftwareCa.authority(CertificateProfile.of(FULL));
    X509Certificate certificate = issue(authority);
    new OpenSsl(directory).verify(certificate, authority.chain());
    assertThat(certificate.getVersion()).isEqualTo(3);
    assertThat(certificate.getBasicConstraints()).isEqualTo(-1);
    assertThat(certificate.getCriticalExtensionOIDs()).containsExactly("2.5.29.15");
    assertThat(text(certificate))
        .contains("C=SE", "O=Org", "OU=Unit", "serialNumber=PNOSE-198001011234")
        .contains("Digital Signature, Non Repudiation")
        .contains("Policy: 0.4.0.194112.1.2", "CPS: https://example.org/cps", "Policy: 2.999.7")
        .contains("URI:http://example.org/a.crl", "URI:http://example.com/a.crl")
        .contains("CA Issuers - URI:http://example.org/issuing.cer")
        .contains("1.3.6.1.5.5.7.3.36")
        .contains("X509v3 Subject Key Identifier", "X509v3 Authority Key Identifier");
  }

  @Test
  void theNameRunsFromTheGeneralToTheSpecific() {
    X509Certificate certificate = issue(SoftwareCa.authority());
    assertThat(certificate.getSubjectX500Principal().getName("RFC1779"))
        .matches("OID.2.5.4.5=.*, OID.2.5.4.4=.*, OID.2.5.4.42=.*, CN=.*, OU=.*, O=.*, C=SE");
  }

  @Test
  void aCertificateCanSayThatNoRevocationInformationWillExist() {
    CertificateAuthority authority = SoftwareCa.authority(CertificateProfile.of(NO_REVOCATION));
    X509Certificate certificate = issue(authority);
    new OpenSsl(directory).verify(certificate, authority.chain());
    assertThat(certificate.getNonCriticalExtensionOIDs())
        .containsExactlyInAnyOrder("2.5.29.14", "2.5.29.35", "2.5.29.56");
    assertThat(certificate.getExtensionValue("2.5.29.56")).containsExactly(4, 2, 5, 0);
  }
}
