package org.keywell.ca.issuance;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.keywell.ca.CertificateAuthority;
import org.keywell.ca.CertificateProfile;
import org.keywell.ca.CertificateProfiles;
import org.keywell.ca.Certificates;
import org.keywell.ca.OpenSsl;
import org.keywell.ca.ProfileBuilder;
import org.keywell.ca.QcSettings;
import org.keywell.ca.SampleProfiles;
import org.keywell.ca.Subject;
import org.keywell.ca.SubjectKeyPair;
import org.keywell.ca.token.PemCertificates;
import org.keywell.ca.token.SoftwareCa;

/** What is in a certificate, as openssl and the JDK read it. */
class CertificateContentTest {
  private static final ProfileBuilder FULL =
      new ProfileBuilder()
          .validity(Duration.ofDays(30))
          .backdate(Duration.ofMinutes(10))
          .policies("0.4.0.194112.1.2", "2.999.7")
          .cpsUri("https://example.org/cps")
          .crlUris("http://example.org/a.crl", "http://example.com/a.crl")
          .ocspUris("http://ocsp.example.org")
          .caIssuersUris("http://example.org/issuing.cer")
          .keyUsage("contentCommitment", "digitalSignature")
          .extendedKeyUsage("1.3.6.1.5.5.7.3.36");
  private static final ProfileBuilder NO_REVOCATION =
      new ProfileBuilder()
          .validity(Duration.ofHours(1))
          .backdate(Duration.ZERO)
          .noRevocationAvailable(true)
          .validityAssuredShortTerm(true);
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
    CertificateAuthority authority =
        SoftwareCa.authority(CertificateProfiles.ofStandard(FULL.settings()));
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
        .contains("OCSP - URI:http://ocsp.example.org")
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
    CertificateAuthority authority =
        SoftwareCa.authority(CertificateProfiles.ofStandard(NO_REVOCATION.settings()));
    X509Certificate certificate = issue(authority);
    new OpenSsl(directory).verify(certificate, authority.chain());
    assertThat(certificate.getNonCriticalExtensionOIDs())
        .containsExactlyInAnyOrder("2.5.29.14", "2.5.29.35", "2.5.29.56", "0.4.0.194121.2.1");
    assertThat(certificate.getExtensionValue("2.5.29.56")).containsExactly(4, 2, 5, 0);
    assertThat(certificate.getExtensionValue("0.4.0.194121.2.1")).containsExactly(4, 2, 5, 0);
  }

  @Test
  void qualifiedCertificatesStateWhatIsConfigured() {
    QcSettings all =
        new QcSettings(
            true,
            List.of("CH", "NO"),
            true,
            "esign",
            List.of(new QcSettings.Pds("en", "https://ca.example/pds.pdf")),
            true,
            "https://authority.example");
    CertificateProfile profile = SampleProfiles.qualified().qcStatements(all).profile();
    CertificateAuthority authority =
        SoftwareCa.authority(new CertificateProfiles(Map.of("standard", profile)));
    X509Certificate certificate = issue(authority);
    new OpenSsl(directory).verify(certificate, authority.chain());
    assertThat(parsed(certificate, "1.3.6.1.5.5.7.1.3"))
        .containsSubsequence(
            "1.3.6.1.5.5.7.11.2", // id-qcs-pkixQCSyntax-v2
            "0.4.0.194121.1.1",
            "cont [ 6 ]", // a uniformResourceIdentifier
            "0.4.0.1862.1.1", // QcCompliance
            "0.4.0.1862.1.7", // QcCClegislation
            "CH",
            "NO",
            "0.4.0.1862.1.4", // QcSSCD
            "0.4.0.1862.1.6", // QcType
            "0.4.0.1862.1.6.1",
            "0.4.0.1862.1.5", // QcPDS
            "https://ca.example/pds.pdf",
            "en");
    assertThat(new String(certificate.getExtensionValue("1.3.6.1.5.5.7.1.3"), US_ASCII))
        .contains("https://authority.example");
  }

  /** What openssl reads in an extension. */
  private String parsed(X509Certificate certificate, String id) {
    OpenSsl openssl = new OpenSsl(directory);
    String base64 =
        Base64.getMimeEncoder().encodeToString(Tlv.of(certificate.getExtensionValue(id)).content());
    openssl.write(
        "extension.pem", "-----BEGIN EXTENSION-----\n" + base64 + "\n-----END EXTENSION-----\n");
    return openssl.run("asn1parse", "-in", "extension.pem");
  }
}
