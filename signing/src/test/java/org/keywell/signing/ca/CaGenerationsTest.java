package org.keywell.signing.ca;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import java.net.URI;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.keywell.ca.CertificateAuthority;
import org.keywell.ca.CertificateProfiles;
import org.keywell.ca.Certification.Certified;
import org.keywell.ca.CertificationRequest;
import org.keywell.ca.ProfileSettings;
import org.keywell.ca.Subject;
import org.keywell.ca.SubjectKeyPair;
import org.keywell.ca.issuance.BouncyCastleCertificateAuthority;
import org.keywell.ca.issuance.SigningLimits;
import org.keywell.ca.revocation.CrlShard;
import org.keywell.ca.revocation.ListAnswer;
import org.keywell.ca.revocation.RevocationList;
import org.keywell.ca.token.CaBootstrap;
import org.keywell.ca.token.CaSettings;
import org.keywell.ca.token.CaToken;
import org.keywell.keypool.hsm.pkcs11.Pkcs11Hsm;
import org.keywell.keypool.hsm.pkcs11.SoftHsmToken;
import org.keywell.testkit.ManualTime;

/** A CA takes up keys that others make in its token. */
@Tag("softhsm")
@Timeout(60)
final class CaGenerationsTest {

  private static final CertificationRequest REQUEST =
      SubjectKeyPair.ec("secp256r1").request(Subject.ofCommonName("Certified"));
  private static final CaSettings SETTINGS =
      CaSettings.defaults(
          Subject.ofCommonName("Root of generations"), Subject.ofCommonName("CA of generations"));

  private final SoftHsmToken token = SoftHsmToken.create();
  private final Pkcs11Hsm device = token.open();
  private final ManualTime time = new ManualTime();
  private volatile Duration later = Duration.ZERO;
  private final CaBootstrap bootstrap = bootstrap();
  private final X509Certificate first = bootstrap.ensure().chain().getFirst();

  private CaBootstrap bootstrap() {
    return CaBootstrap.in(
        device.certifiedKeys(device.slotId()),
        SETTINGS,
        InstantSource.system(),
        new SecureRandom());
  }

  private CertificateAuthority open() {
    SigningLimits limits = SigningLimits.defaults();
    return CaGenerations.open(
        new CaGenerations.Source(
            new CaToken(device.certifiedKeys(device.slotId())),
            SETTINGS.issuingLabel(),
            () -> Instant.now().plus(later),
            OcspSigners.NONE,
            key ->
                new BouncyCastleCertificateAuthority(
                    key,
                    CertificateProfiles.ofStandard(ProfileSettings.defaults()),
                    limits,
                    InstantSource.system(),
                    new SecureRandom())));
  }

  private X509Certificate renew(int generation) {
    return bootstrap.renew(generation, bootstrap, device.tokenKeyIds()).certificate();
  }

  @AfterEach
  void close() {
    device.close();
  }

  private static X509Certificate issuer(CertificateAuthority ca) {
    assertThat(ca.certify(REQUEST)).isInstanceOf(Certified.class);
    return ca.chain().getFirst();
  }

  private static void assertSignsListsOf(CertificateAuthority ca, X509Certificate issuer) {
    CrlShard shard = CrlShard.ofServices(CrlShard.issuer(issuer));
    Instant now = Instant.now().truncatedTo(ChronoUnit.SECONDS);
    URI base = URI.create("http://crl.example.org/");
    ListAnswer answer =
        ca.sign(
            new RevocationList(
                shard,
                List.of(shard.within(base)),
                BigInteger.ONE,
                now,
                now.plusSeconds(60),
                List.of()));
    assertThat(answer).isInstanceOf(ListAnswer.Signed.class);
  }

  @Test
  void aNewKeySignsListsFirstAndCertifiesNext() {
    CertificateAuthority ca = open();
    assertThat(ca.refreshed()).isSameAs(ca);
    X509Certificate second = renew(2);

    CertificateAuthority found = ca.refreshed();

    assertThat(issuer(found)).isEqualTo(first);
    assertThat(found.chains()).extracting(List::getFirst).containsExactly(second, first);
    assertSignsListsOf(found, second);
    CertificateAuthority next = found.refreshed();
    assertThat(issuer(next)).isEqualTo(second);
    assertSignsListsOf(next, first);
    assertSignsListsOf(next, second);
    assertThat(next.refreshed()).isSameAs(next);
    assertThat(issuer(ca)).as("a request under way ends as it began").isEqualTo(first);
    assertThat(issuer(open())).as("a start uses it at once").isEqualTo(second);
  }

  @Test
  void aKeyWhoseCertificateHasEndedIsGivenUp() {
    CertificateAuthority ca = open();
    renew(2);
    CertificateAuthority next = ca.refreshed().refreshed();
    later = SETTINGS.issuingValidity().plusDays(1);

    assertThat(next.refreshed()).as("nothing to follow it").isSameAs(next);
  }

  @Test
  void aWatchLooksNowAndThen() {
    Renewable<CertificateAuthority> opened =
        new Renewable<>(
            "the CA in hsm", _ -> open(), device::slotId, () -> true, device::foreignCall, time);
    CaWatch watch = new CaWatch("hsm", new RenewableCa(opened), () -> false, time);
    X509Certificate second = renew(2);

    for (X509Certificate expected : List.of(first, second, second)) {
      watch.look();
      time.advance(CaWatch.BETWEEN_REFRESHES);
      watch.look();
      assertThat(watch.chain().getFirst()).isEqualTo(expected);
      assertThat(watch.certify(REQUEST)).isInstanceOf(Certified.class);
    }
    assertThat(watch.chains()).hasSize(2);
    opened.retire();
    renew(3);
    time.advance(CaWatch.BETWEEN_REFRESHES);
    watch.look();
    assertThat(watch.chains()).as("its token may be another's by now").hasSize(2);
  }
}
