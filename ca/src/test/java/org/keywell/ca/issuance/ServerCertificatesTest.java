package org.keywell.ca.issuance;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.net.URI;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.keywell.ca.CertificateProfiles;
import org.keywell.ca.Certificates;
import org.keywell.ca.Certification;
import org.keywell.ca.Certification.Certified;
import org.keywell.ca.Certification.Reason;
import org.keywell.ca.Certification.Refused;
import org.keywell.ca.OpenSsl;
import org.keywell.ca.ProfileBuilder;
import org.keywell.ca.ServerNames;
import org.keywell.ca.revocation.CrlShard;
import org.keywell.ca.token.CaKeySpec;
import org.keywell.ca.token.PemCertificates;
import org.keywell.ca.token.SoftwareCa;

/** Certificates for servers, of keys and requests that openssl makes, as openssl reads them. */
final class ServerCertificatesTest {
  private static final Duration NINETY_DAYS = Duration.ofDays(90);
  private static final CertificateProfiles SIGNERS =
      CertificateProfiles.ofStandard(
          new ProfileBuilder().crlUris("http://ca.example/issuing.crl").settings());
  private static final ServerNames NAMES =
      ServerNames.of(List.of("keywell.example", "localhost", "192.0.2.7", "2001:db8::7"), false);

  @TempDir private Path directory;
  private OpenSsl openssl;

  @BeforeEach
  void use() {
    openssl = new OpenSsl(directory);
  }

  private static ServerCertificates authority(IssuingKey key, Duration validity) {
    return new ServerCertificates(
        key, SIGNERS, validity, InstantSource.system(), new SecureRandom());
  }

  private static ServerCertificates authority(IssuingKey key) {
    return authority(key, NINETY_DAYS);
  }

  private String request(String... more) {
    return request(List.of("ec", "-pkeyopt", "ec_paramgen_curve:P-256"), more);
  }

  private String request(List<String> key, String... more) {
    List<String> arguments = new ArrayList<>(List.of("req", "-new", "-nodes", "-newkey"));
    arguments.addAll(key);
    arguments.addAll(
        List.of("-keyout", "server.key", "-out", "server.csr", "-subj", "/CN=not.example"));
    arguments.addAll(List.of(more));
    openssl.run(arguments.toArray(String[]::new));
    return openssl.read("server.csr");
  }

  @ParameterizedTest
  @EnumSource(CaKeySpec.class)
  void clientsTakeItForTheServerItNames(CaKeySpec spec) {
    IssuingKey key = SoftwareCa.issuingKey(spec);
    X509Certificate certificate = Certificates.of(authority(key).issue(request(), NAMES));
    openssl.verify(certificate, key.chain());

    for (String name : List.of("keywell.example", "localhost")) {
      verify("-verify_hostname", name);
    }
    for (String address : List.of("192.0.2.7", "2001:db8::7")) {
      verify("-verify_ip", address);
    }
    assertThatExceptionOfType(AssertionError.class)
        .isThrownBy(() -> verify("-verify_hostname", "not.example"));
    assertThatExceptionOfType(AssertionError.class)
        .isThrownBy(() -> openssl.run(verification("sslclient")));
  }

  private void verify(String option, String name) {
    List<String> arguments = new ArrayList<>(List.of(verification("sslserver")));
    arguments.addAll(1, List.of(option, name));
    openssl.run(arguments.toArray(String[]::new));
  }

  /** Of the files that {@link OpenSsl#verify} has written. */
  private static String[] verification(String purpose) {
    return new String[] {
      "verify",
      "-x509_strict",
      "-purpose",
      purpose,
      "-CAfile",
      "root.pem",
      "-untrusted",
      "untrusted.pem",
      "leaf.pem"
    };
  }

  @Test
  void itIsForServersAndNothingElse() {
    Instant before = Instant.now();
    X509Certificate certificate =
        Certificates.of(
            authority(SoftwareCa.issuingKey(CaKeySpec.EC_P256))
                .issue(request("-addext", "subjectAltName=DNS:not.example"), NAMES));
    openssl.write("c.pem", PemCertificates.write(List.of(certificate)));
    String text = openssl.run("x509", "-in", "c.pem", "-noout", "-text");

    assertThat(text.replaceAll(" *\n *", "\n"))
        .contains("Subject:\n")
        .contains("X509v3 Key Usage: critical\nDigital Signature\n")
        .contains("X509v3 Extended Key Usage:\nTLS Web Server Authentication\n")
        .contains("URI:http://ca.example/issuing.crl")
        .contains(
            "X509v3 Subject Alternative Name: critical\nDNS:keywell.example, DNS:localhost,"
                + " IP Address:192.0.2.7, IP Address:2001:DB8:0:0:0:0:0:7\n")
        .doesNotContain("not.example", "Basic Constraints", "Policies");
    assertThat(Duration.between(before, certificate.getNotAfter().toInstant()))
        .isBetween(NINETY_DAYS.minusSeconds(1), NINETY_DAYS.plusMinutes(1));
  }

  @Test
  void itNamesTheCasOwnListOfServices() {
    IssuingKey key = SoftwareCa.issuingKey(CaKeySpec.EC_P256);
    URI base = URI.create("http://crl.example/");
    ServerCertificates servers =
        new ServerCertificates(
            key,
            new CertificateProfiles(SIGNERS.all(), Optional.of(base)),
            NINETY_DAYS,
            InstantSource.system(),
            new SecureRandom());

    assertThat(CrlShard.namedBy(Certificates.of(servers.issue(request(), NAMES))))
        .contains(CrlShard.ofServices(CrlShard.issuer(key.certificate())).within(base));
  }

  @Test
  void itDoesNotOutliveItsIssuers() {
    IssuingKey key = SoftwareCa.issuingKey(CaKeySpec.EC_P256, Instant.now(), Duration.ofDays(10));
    X509Certificate certificate = Certificates.of(authority(key).issue(request(), NAMES));
    assertThat(certificate.getNotAfter().toInstant())
        .isBeforeOrEqualTo(key.certificate().getNotAfter().toInstant());

    IssuingKey ending =
        SoftwareCa.issuingKey(CaKeySpec.EC_P256, Instant.now(), Duration.ofMinutes(30));
    assertRefused(Reason.CA_NOT_VALID, authority(ending).issue(request(), NAMES));
  }

  @Test
  void itsValidityIsLimited() {
    IssuingKey key = SoftwareCa.issuingKey(CaKeySpec.EC_P256);
    assertThat(authority(key, Duration.ofDays(398)).issue(request(), NAMES))
        .isInstanceOf(Certified.class);
    for (Duration refused : List.of(Duration.ofDays(399), Duration.ofMinutes(59))) {
      assertThatIllegalArgumentException().isThrownBy(() -> authority(key, refused));
    }
  }

  @Test
  void theRequestProvesTheKey() {
    ServerCertificates authority = authority(SoftwareCa.issuingKey(CaKeySpec.EC_P256));
    assertThat(authority.issue(request(List.of("rsa:2048")), NAMES)).isInstanceOf(Certified.class);
    assertRefused(Reason.KEY_NOT_ALLOWED, authority.issue(request(List.of("rsa:1024")), NAMES));
    assertRefused(Reason.KEY_NOT_ALLOWED, authority.issue(request(List.of("ed25519")), NAMES));
    String[] lines = request().split("\n");
    byte[] der =
        Base64.getDecoder().decode(String.join("", List.of(lines).subList(1, lines.length - 1)));
    assertThat(authority.issue(der, NAMES)).isInstanceOf(Certified.class);
    assertThat(authority.issue(openssl.read("server.csr").getBytes(US_ASCII), NAMES))
        .isInstanceOf(Certified.class);
    assertRefused(
        Reason.POSSESSION_NOT_PROVEN, authority.issue(Arrays.copyOf(der, der.length - 1), NAMES));
    assertRefused(Reason.POSSESSION_NOT_PROVEN, authority.issue(new byte[0], NAMES));
    der[der.length - 1] ^= 1;
    assertRefused(Reason.POSSESSION_NOT_PROVEN, authority.issue(der, NAMES));
    assertRefused(
        Reason.POSSESSION_NOT_PROVEN,
        authority.issue(
            "%s\n%s\n%s\n"
                .formatted(
                    lines[0], Base64.getEncoder().encodeToString(der), lines[lines.length - 1]),
            NAMES));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "nothing",
        "-----BEGIN CERTIFICATE REQUEST-----\nMAA=\n-----END CERTIFICATE REQUEST-----\n",
        "-----BEGIN CERTIFICATE REQUEST-----\n!\n-----END CERTIFICATE REQUEST-----\n",
        "-----BEGIN X509 CRL-----\nMAA=\n-----END X509 CRL-----\n"
      })
  void whatIsNoRequestIsRefused(String text) {
    ServerCertificates authority = authority(SoftwareCa.issuingKey(CaKeySpec.EC_P256));
    assertRefused(Reason.POSSESSION_NOT_PROVEN, authority.issue(text, NAMES));
    assertRefused(
        Reason.POSSESSION_NOT_PROVEN, authority.issue(request() + " ".repeat(70_000), NAMES));
  }

  private static void assertRefused(Reason reason, Certification answer) {
    assertThat(answer)
        .isInstanceOfSatisfying(
            Refused.class,
            refused -> assertThat(refused.reason()).as(refused.detail()).isEqualTo(reason));
  }
}
