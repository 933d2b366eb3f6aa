package org.keywell.rest.tls;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.keywell.rest.tls.Finding.Status;
import org.keywell.settings.RevocationProperties;
import org.keywell.settings.RevocationProperties.WhenUnknown;
import org.keywell.testkit.TlsAuthority;

/** How long a finding counts; the clock is the test's. */
@Tag("process")
final class CallerCertificatesTest {

  private static final Duration MAX_AGE = Duration.ofMinutes(10);

  @TempDir Path files;

  private final Lookups lookups = new Lookups(Duration.ofSeconds(1));
  private Instant now = Instant.now();
  private int looked;
  private TlsAuthority authority;
  private X509Certificate[] chain;

  @BeforeEach
  void makeCertificates() throws Exception {
    authority = TlsAuthority.create(files, "ca");
    authority.certify("client", "extendedKeyUsage=critical,clientAuth");
    chain = new X509Certificate[] {read("client.pem")};
  }

  @AfterEach
  void endLookups() {
    lookups.close();
  }

  @Test
  void aListCountsUntilItsNextUpdateAndNotASecondLonger() throws Exception {
    Instant end = now.plusSeconds(120);
    CallerCertificates certificates = certificates(authority.list("ca.crl", end));
    assertThat(certificates.find(chain).status()).isEqualTo(Status.GOOD);

    now = end.minusSeconds(1);
    assertThat(certificates.find(chain).status()).isEqualTo(Status.GOOD);

    now = end.plusSeconds(1);
    assertThat(certificates.find(chain).status()).isEqualTo(Status.UNKNOWN);
  }

  /** As the metric tells it. */
  @Test
  void theListThatEndsFirstCounts() throws Exception {
    Instant end = now.plusSeconds(120).truncatedTo(ChronoUnit.SECONDS);
    Path both = files.resolve("both.crl");
    Files.writeString(
        both,
        Files.readString(authority.list("late.crl", end.plusSeconds(60)))
            + Files.readString(authority.list("early.crl", end)));

    assertThat(RevocationLists.read(both).end()).isEqualTo(end);
  }

  @Test
  void aFindingIsUsedAgainUntilItIsTooOld() throws Exception {
    CallerCertificates certificates =
        certificates(authority.list("ca.crl", now.plus(Duration.ofHours(3))));
    certificates.find(chain);
    certificates.find(chain);
    now = now.plus(MAX_AGE).minusSeconds(1);
    certificates.find(chain);
    assertThat(looked).isEqualTo(1);

    now = now.plusSeconds(2);
    certificates.find(chain);
    assertThat(looked).isEqualTo(2);
  }

  @Test
  void aCertificateCountsUntilItsEnd() throws Exception {
    CallerCertificates certificates = certificates(null);
    assertThat(certificates.find(chain).status()).isEqualTo(Status.GOOD);

    now = chain[0].getNotAfter().toInstant().plusMillis(1);
    assertThat(certificates.find(chain).status()).isEqualTo(Status.NOT_VALID_NOW);
  }

  /** Nobody signs a list in the name of another authority. */
  @Test
  void aListOfAnotherAuthorityOfThatNameTellsNothing() throws Exception {
    Path others = Files.createDirectory(files.resolve("others"));
    TlsAuthority namesake = TlsAuthority.create(others, "ca");

    assertThat(certificates(namesake.list("ca.crl", now.plusSeconds(600))).find(chain).status())
        .isEqualTo(Status.UNKNOWN);
  }

  private CallerCertificates certificates(@Nullable Path crl) throws Exception {
    KeyStore store = KeyStore.getInstance("PKCS12");
    store.load(null, null);
    store.setCertificateEntry("ca", read("ca.pem"));
    Authorities trusted = Authorities.of(List.of(store));
    // Of a finding that is used again only the milliseconds are asked for.
    InstantSource clock =
        new InstantSource() {
          @Override
          public Instant instant() {
            looked++;
            return now;
          }

          @Override
          public long millis() {
            return now.toEpochMilli();
          }
        };
    RevocationProperties properties =
        new RevocationProperties(crl, null, MAX_AGE, Duration.ofSeconds(1), WhenUnknown.REFUSE);
    return new CallerCertificates(
        () -> trusted, new Revocation(properties, () -> now, System::nanoTime), lookups, clock);
  }

  private X509Certificate read(String file) throws Exception {
    try (InputStream pem = Files.newInputStream(files.resolve(file))) {
      return (X509Certificate) CertificateFactory.getInstance("X.509").generateCertificate(pem);
    }
  }
}
