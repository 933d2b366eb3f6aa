package org.keywell.ca.issuance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.math.BigInteger;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.security.cert.CertificateFactory;
import java.security.cert.X509CRL;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.bouncycastle.asn1.ASN1Sequence;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.keywell.ca.CertificateProfile;
import org.keywell.ca.CertificateProfiles;
import org.keywell.ca.Certificates;
import org.keywell.ca.ProfileBuilder;
import org.keywell.ca.Subject;
import org.keywell.ca.SubjectKeyPair;
import org.keywell.ca.revocation.CrlShard;
import org.keywell.ca.revocation.ListAnswer;
import org.keywell.ca.revocation.Revocation;
import org.keywell.ca.revocation.RevocationList;
import org.keywell.ca.revocation.RevocationReason;
import org.keywell.ca.token.CaKeySpec;
import org.keywell.ca.token.PemCertificates;
import org.keywell.ca.token.SoftwareCa;
import org.keywell.testkit.OpenSsl;

/** Lists of the certificates of one day, which openssl looks up. */
final class RevocationListTest {

  private static final URI BASE = URI.create("http://crl.example.org/keywell/");
  private static final CrlShard SHARD = CrlShard.ofServices(new byte[20]);

  private final Instant now = Instant.now().truncatedTo(ChronoUnit.SECONDS);
  private final Path files;
  private final OpenSsl openssl;
  private BouncyCastleCertificateAuthority authority;

  RevocationListTest(@TempDir Path files) {
    this.files = files;
    this.openssl = new OpenSsl(files);
    this.authority = authority(now);
  }

  private static BouncyCastleCertificateAuthority authority(Instant at) {
    return new BouncyCastleCertificateAuthority(
        SoftwareCa.issuingKey(CaKeySpec.EC_P256, at.minus(Duration.ofDays(2)), Duration.ofDays(30)),
        new CertificateProfiles(
            Map.of(
                CertificateProfiles.STANDARD,
                CertificateProfile.of(new ProfileBuilder().crlsByDay(true).settings())),
            Optional.of(BASE)),
        SigningLimits.defaults(),
        InstantSource.fixed(at),
        new SecureRandom());
  }

  @BeforeEach
  void write() throws Exception {
    openssl.write("root.pem", PemCertificates.write(List.of(authority.chain().getLast())));
    openssl.write("issuing.pem", PemCertificates.write(List.of(authority.chain().getFirst())));
  }

  private X509Certificate issued() {
    return Certificates.of(
        authority.certify(
            SubjectKeyPair.ec("secp256r1").request(Subject.ofCommonName("Astrid Exempel"))));
  }

  private RevocationList list(URI published, Revocation... revoked) {
    return new RevocationList(
        SHARD,
        List.of(published),
        BigInteger.TEN,
        now,
        now.plus(Duration.ofHours(24)),
        List.of(revoked));
  }

  private byte[] signed(RevocationList list) {
    return ((ListAnswer.Signed) authority.sign(list)).crl();
  }

  private static Revocation of(X509Certificate certificate, Instant at, RevocationReason reason) {
    return new Revocation(certificate.getSerialNumber(), at, reason);
  }

  @Test
  void opensslFindsARevokedCertificateAndNoOther() throws Exception {
    X509Certificate good = issued();
    X509Certificate bad = issued();
    URI published = CrlShard.namedBy(good).orElseThrow();
    assertThat(published.toString()).matches(BASE + "[0-9a-f]{40}/\\d{4}-\\d\\d-\\d\\d\\.crl");
    verify(good, signed(list(published, of(bad, now, RevocationReason.KEY_COMPROMISE))), "OK");
    verify(
        bad,
        signed(list(published, of(bad, now, RevocationReason.KEY_COMPROMISE))),
        "certificate revoked");
    verify(good, signed(list(URI.create(BASE + "another.crl"))), "different CRL scope");
  }

  private void verify(X509Certificate certificate, byte[] crl, String verdict) throws Exception {
    openssl.write("leaf.pem", PemCertificates.write(List.of(certificate)));
    Files.write(files.resolve("list.crl"), crl);
    openssl.run("crl", "-inform", "DER", "-in", "list.crl", "-out", "list.pem");
    assertThat(
            openssl.attempt(
                "verify",
                "-crl_check",
                "-CRLfile",
                "list.pem",
                "-CAfile",
                "root.pem",
                "-untrusted",
                "issuing.pem",
                "leaf.pem"))
        .contains(verdict);
  }

  @Test
  void aListSaysWhatItIsAbout() throws Exception {
    X509Certificate bad = issued();
    X509Certificate other = issued();
    URI published = CrlShard.namedBy(bad).orElseThrow();
    Instant earlier = now.minusSeconds(5);

    X509CRL crl =
        parsed(
            signed(
                list(
                    published,
                    of(bad, earlier, RevocationReason.SUPERSEDED),
                    of(other, now, RevocationReason.UNSPECIFIED))));

    crl.verify(authority.chain().getFirst().getPublicKey());
    assertThat(crl.getThisUpdate()).isEqualTo(now);
    assertThat(crl.getNextUpdate()).isEqualTo(now.plus(Duration.ofHours(24)));
    assertThat(crl.getRevokedCertificate(bad).getRevocationDate()).isEqualTo(earlier);
    assertThat(crl.getRevokedCertificate(bad).getRevocationReason())
        .isEqualTo(java.security.cert.CRLReason.SUPERSEDED);
    assertThat(crl.getRevokedCertificate(other).hasExtensions()).isFalse();
    assertThat(crl.getCriticalExtensionOIDs()).containsExactly("2.5.29.28");
    Files.write(files.resolve("list.crl"), crl.getEncoded());
    assertThat(openssl.run("crl", "-inform", "DER", "-in", "list.crl", "-noout", "-text"))
        .contains(
            "X509v3 CRL Number: ",
            "Only User Certificates",
            "URI:" + published,
            "X509v3 Authority Key Identifier");
  }

  @Test
  void anEmptyListIsOneToo() throws Exception {
    X509CRL crl = parsed(signed(list(CrlShard.namedBy(issued()).orElseThrow())));
    assertThat(crl.getRevokedCertificates()).isNull();
    // RFC 5280, section 5.1.2.6: absent rather than an empty sequence.
    assertThat(ASN1Sequence.getInstance(crl.getTBSCertList()).size()).isEqualTo(6);
  }

  @Test
  void aListOfAuthoritiesSaysThatWithAllOfItsAddresses() throws Exception {
    CrlShard authorities = CrlShard.ofAuthorities(new byte[20]);
    URI moved = authorities.within(URI.create("https://moved.example.org/"));
    Files.write(
        files.resolve("list.crl"),
        signed(
            new RevocationList(
                authorities,
                List.of(authorities.within(BASE), moved),
                BigInteger.ONE,
                now,
                now.plusSeconds(60),
                List.of())));
    assertThat(openssl.run("crl", "-inform", "DER", "-in", "list.crl", "-noout", "-text"))
        .contains("Only CA Certificates", "URI:" + authorities.within(BASE), "URI:" + moved);
  }

  @Test
  void eachDayHasAListOfItsOwn() throws Exception {
    String today = pointer(issued());
    authority = authority(now.plus(Duration.ofDays(1)));
    String tomorrow = pointer(issued());

    assertThat(today).isNotEqualTo(tomorrow);
    assertThat(pointer(issued())).isEqualTo(tomorrow);
  }

  private static String pointer(X509Certificate certificate) {
    return CrlShard.namedBy(certificate).orElseThrow().toString();
  }

  @Test
  void aLongListIsWhole() throws Exception {
    SecureRandom random = new SecureRandom();
    List<Revocation> many = new ArrayList<>();
    for (int i = 0; i < 20_000; i++) {
      many.add(new Revocation(new BigInteger(127, random), now, RevocationReason.SUPERSEDED));
    }
    URI published = CrlShard.namedBy(issued()).orElseThrow();
    byte[] crl =
        signed(
            new RevocationList(
                SHARD, List.of(published), BigInteger.TWO, now, now.plusSeconds(60), many));
    assertThat(parsed(crl).getRevokedCertificates()).hasSize(20_000);
  }

  private static X509CRL parsed(byte[] crl) throws Exception {
    return (X509CRL)
        CertificateFactory.getInstance("X.509").generateCRL(new ByteArrayInputStream(crl));
  }
}
