package org.keywell.signing.revocation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.math.BigInteger;
import java.net.URI;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.keywell.ca.CertificateAuthority;
import org.keywell.ca.CertificateProfile;
import org.keywell.ca.CertificateProfiles;
import org.keywell.ca.Certificates;
import org.keywell.ca.ProfileBuilder;
import org.keywell.ca.Subject;
import org.keywell.ca.SubjectKeyPair;
import org.keywell.ca.revocation.CrlShard;
import org.keywell.ca.revocation.RevocationReason;
import org.keywell.ca.token.SoftwareCa;
import org.keywell.signing.caller.Caller;
import org.keywell.signing.log.LogWriter;
import org.keywell.signing.record.RecordsDatabase;
import org.keywell.signing.request.Refusal;
import org.keywell.signing.request.RefusedException;
import org.keywell.testkit.Sql;

@Tag("postgresql")
@Timeout(60)
final class RevocationsTest {

  private static final RecordsDatabase database = new RecordsDatabase();
  private static final Caller OPERATOR = Caller.onLoopback();
  private static final RevocationReason REASON = RevocationReason.UNSPECIFIED;
  private static final CertificateProfile LISTED =
      CertificateProfile.of(new ProfileBuilder().crlsByDay(true).settings());

  private final Sql sql = new Sql(database.dataSource());
  private final CertificateAuthority ca = authority(LISTED);
  private final AtomicInteger told = new AtomicInteger();

  @AfterAll
  static void close() {
    database.close();
  }

  private static CertificateAuthority authority(CertificateProfile profile) {
    return SoftwareCa.authority(
        new CertificateProfiles(
            Map.of(CertificateProfiles.STANDARD, profile),
            Optional.of(URI.create("http://crl.example.org/"))));
  }

  private boolean clockIsInDoubt;

  private Revocations at(Instant now) {
    return new Revocations(
        new RevocationTable(database.dataSource(), LogWriter.on(System::nanoTime)),
        () -> List.of(ca.chain().getFirst()),
        told::incrementAndGet,
        Duration.ofDays(1),
        InstantSource.fixed(now),
        () -> clockIsInDoubt,
        "an-instance");
  }

  private static X509Certificate issued(CertificateAuthority ca) {
    return Certificates.of(
        ca.certify(SubjectKeyPair.ec("secp256r1").request(Subject.ofCommonName("Astrid Exempel"))));
  }

  private long entries() throws Exception {
    return sql.count(
        "SELECT count(*) FROM log_pending"
            + " WHERE convert_from(entry, 'UTF8')::jsonb ->> 'type' = 'revocation'");
  }

  @Test
  void aCertificateIsRevokedOnce() throws Exception {
    X509Certificate certificate = issued(ca);
    Instant now = Instant.now().truncatedTo(ChronoUnit.SECONDS);
    long before = entries();

    RevocationAnswer first =
        at(now.plusMillis(900)).revoke(OPERATOR, certificate, RevocationReason.KEY_COMPROMISE);
    RevocationAnswer second =
        at(now.plusSeconds(60)).revoke(OPERATOR, certificate, RevocationReason.SUPERSEDED);

    assertThat(first)
        .isInstanceOfSatisfying(
            RevocationAnswer.Revoked.class,
            revoked -> {
              assertThat(revoked.revocation().at()).isEqualTo(now);
              assertThat(revoked.revocation().serial()).isEqualTo(certificate.getSerialNumber());
              assertThat(revoked.list()).isEqualTo(CrlShard.namedBy(certificate).orElseThrow());
            });
    assertThat(second).isEqualTo(first);
    assertThat(entries() - before).as("entries in the log").isOne();
    assertThat(told).hasPositiveValue();
    assertThat(
            sql.text(
                "SELECT revoked_by || ' ' || reason FROM revoked_certificate WHERE serial = "
                    + certificate.getSerialNumber()))
        .isEqualTo("loopback 1");
    // A copy of the log says what a restored database lacks.
    assertThat(
            sql.texts(
                "SELECT convert_from(entry, 'UTF8')::jsonb ->> 'list' FROM log_pending"
                    + " WHERE convert_from(entry, 'UTF8')::jsonb ->> 'serial' = '%s'"
                        .formatted(certificate.getSerialNumber().toString(16))))
        .containsExactly(
            CrlShard.at(CrlShard.namedBy(certificate).orElseThrow().toString())
                .orElseThrow()
                .path());
  }

  @Test
  void othersCertificatesAreNotRevokedHere() {
    assertThat(at(Instant.now()).revoke(OPERATOR, issued(authority(LISTED)), REASON))
        .isEqualTo(
            new RevocationAnswer.NotRevocable("no CA of this instance has issued the certificate"));
    assertThat(at(Instant.now()).revoke(OPERATOR, ca.chain().getFirst(), REASON))
        .isEqualTo(
            new RevocationAnswer.NotRevocable("a CA's certificate is revoked by its own issuer"));
  }

  @Test
  void whatNobodyWouldLookForIsNotRevoked() {
    X509Certificate certificate = issued(ca);
    Instant end = certificate.getNotAfter().toInstant();
    assertThat(at(end).revoke(OPERATOR, certificate, REASON))
        .isEqualTo(new RevocationAnswer.NotRevocable("the certificate has expired"));

    CertificateAuthority unlisted =
        authority(CertificateProfile.of(new ProfileBuilder().settings()));
    Revocations revocations =
        new Revocations(
            new RevocationTable(database.dataSource(), LogWriter.off()),
            () -> List.of(unlisted.chain().getFirst()),
            told::incrementAndGet,
            Duration.ofDays(1),
            InstantSource.system(),
            () -> false,
            "an-instance");
    assertThat(revocations.revoke(OPERATOR, issued(unlisted), REASON))
        .isEqualTo(
            new RevocationAnswer.NotRevocable(
                "the certificate names no list: nobody would look for its revocation"));
  }

  @Test
  void noRevocationIsDatedByAClockInDoubt() {
    X509Certificate certificate = issued(ca);
    clockIsInDoubt = true;

    assertThatExceptionOfType(RefusedException.class)
        .isThrownBy(() -> at(Instant.now()).revoke(OPERATOR, certificate, REASON))
        .satisfies(refused ->
            assertThat(refused.refusal().reason()).isEqualTo(Refusal.Reason.CA_UNAVAILABLE));

    clockIsInDoubt = false;
    assertThat(at(Instant.now()).revoke(OPERATOR, certificate, REASON))
        .isInstanceOf(RevocationAnswer.Revoked.class);
  }

  @Test
  void whatIsOnNoRecordIsUnknown() {
    assertThat(at(Instant.now()).revoke(OPERATOR, UUID.randomUUID(), REASON))
        .isEqualTo(new RevocationAnswer.Unknown());
    assertThat(at(Instant.now()).revoke(OPERATOR, BigInteger.TEN, REASON))
        .isEqualTo(new RevocationAnswer.Unknown());
  }
}
