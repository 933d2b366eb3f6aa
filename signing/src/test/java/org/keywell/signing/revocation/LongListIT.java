package org.keywell.signing.revocation;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.keywell.ca.CertificateAuthority;
import org.keywell.ca.CertificateProfile;
import org.keywell.ca.CertificateProfiles;
import org.keywell.ca.Certificates;
import org.keywell.ca.ProfileBuilder;
import org.keywell.ca.Subject;
import org.keywell.ca.SubjectKeyPair;
import org.keywell.ca.revocation.CrlShard;
import org.keywell.ca.token.PemCertificates;
import org.keywell.ca.token.SoftwareCa;
import org.keywell.keypool.log.LogPace;
import org.keywell.settings.CaProperties;
import org.keywell.signing.record.RecordsDatabase;
import org.keywell.testkit.OpenSsl;
import org.keywell.testkit.Sql;

/** What a day costs on which 100,000 certificates were revoked: printed, on one core. */
@Tag("experiment")
@Tag("postgresql")
@Timeout(120)
final class LongListIT {

  private static final int ENTRIES = 100_000;
  private static final int ROUNDS = 5;

  /** Far above what it is. */
  private static final Duration LONGEST = Duration.ofSeconds(30);

  /** What is made every 30 s must not fill the heap. */
  private static final long MOST_ALLOCATED = 120L << 20;

  private static final RecordsDatabase database = new RecordsDatabase();

  private final CertificateAuthority ca =
      SoftwareCa.authority(
          new CertificateProfiles(
              Map.of(
                  CertificateProfiles.STANDARD,
                  CertificateProfile.of(new ProfileBuilder().crlsByDay(true).settings())),
              Optional.of(URI.create("http://crl.example.org/"))));

  @TempDir Path files;

  @AfterAll
  static void close() {
    database.close();
  }

  private X509Certificate issued() {
    return Certificates.of(
        ca.certify(SubjectKeyPair.ec("secp256r1").request(Subject.ofCommonName("Astrid Exempel"))));
  }

  private ListPublisher publisher(ListTable table) {
    X509Certificate issuing = ca.chain().getFirst();
    return new ListPublisher(
        table,
        new CaProperties.Crl(
            URI.create("http://crl.example.org/"),
            Duration.ofHours(24),
            Duration.ofSeconds(10),
            null,
            InetAddress.getLoopbackAddress(),
            100),
        Duration.ofDays(1),
        () ->
            List.of(
                new ListSigner(
                    CrlShard.issuer(issuing), issuing.getNotAfter().toInstant(), true, ca::sign)),
        List::of,
        InstantSource.system(),
        () -> false,
        new LogPace(System::nanoTime));
  }

  @Test
  void aDayWithManyRevocations() throws Exception {
    X509Certificate good = issued();
    X509Certificate bad = issued();
    CrlShard day = CrlShard.at(CrlShard.namedBy(bad).orElseThrow().toString()).orElseThrow();
    ListTable table = new ListTable(database.dataSource());
    ListPublisher publisher = publisher(table);
    Sql sql = new Sql(database.dataSource());
    var _ = publisher.look();
    revoke(sql, day, ENTRIES - 1);
    sql.update(
        """
        INSERT INTO revoked_certificate
        VALUES ('%s', %s, '%s', now(), 1, 'operator')
        """
            .formatted(day.issuer(), bad.getSerialNumber(), day.name()));

    measure(publisher, sql, day);

    byte[] crl = table.find(day).orElseThrow().crl();
    System.out.printf("a list of %,d entries has %,d bytes%n", ENTRIES, crl.length);
    assertThat(verdict(crl, good)).contains("OK");
    assertThat(verdict(crl, bad)).contains("certificate revoked");
  }

  /** As many digits as serial numbers have, over a day. */
  private static void revoke(Sql sql, CrlShard day, int count) throws Exception {
    assertThat(
            sql.update(
                """
                INSERT INTO revoked_certificate
                SELECT '%s', 2::numeric ^ 157 + i::numeric * 2::numeric ^ 100, '%s',
                  now() - i * interval '0.8 s', 1, 'operator'
                FROM generate_series(1, %d) AS i
                """
                    .formatted(day.issuer(), day.name(), count)))
        .isEqualTo(count);
  }

  /** The best round: what else runs on the machine makes the others longer. */
  private static void measure(ListPublisher publisher, Sql sql, CrlShard day) throws Exception {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long bestNanos = Long.MAX_VALUE;
    long allocated = 0;
    for (int round = 0; round < ROUNDS; round++) {
      sql.update(
          "UPDATE published_list SET revocations = -1 WHERE issuer = '%s' AND name = '%s'"
              .formatted(day.issuer(), day.name()));
      long before = threads.getCurrentThreadAllocatedBytes();
      Instant began = Instant.now().truncatedTo(ChronoUnit.SECONDS);
      long nanos = System.nanoTime();
      var _ = publisher.look();
      bestNanos = Math.min(bestNanos, System.nanoTime() - nanos);
      allocated = threads.getCurrentThreadAllocatedBytes() - before;
      assertThat(publisher.unsigned()).isZero();
      assertThat(
              sql.count(
                  "SELECT revocations FROM published_list WHERE this_update >= '%s' AND name = '%s'"
                      .formatted(began, day.name())))
          .isEqualTo(ENTRIES);
    }
    System.out.printf(
        "making it takes %d ms and allocates %d MiB%n", bestNanos / 1_000_000, allocated >> 20);
    assertThat(Duration.ofNanos(bestNanos)).isLessThan(LONGEST);
    assertThat(allocated).isLessThan(MOST_ALLOCATED);
  }

  private String verdict(byte[] crl, X509Certificate certificate) throws Exception {
    OpenSsl openssl = new OpenSsl(files);
    openssl.write("root.pem", PemCertificates.write(List.of(ca.chain().getLast())));
    openssl.write("issuing.pem", PemCertificates.write(List.of(ca.chain().getFirst())));
    openssl.write("leaf.pem", PemCertificates.write(List.of(certificate)));
    Files.write(files.resolve("list.crl"), crl);
    openssl.run("crl", "-inform", "DER", "-in", "list.crl", "-out", "list.pem");
    return openssl.attempt(
        "verify",
        "-crl_check",
        "-CRLfile",
        "list.pem",
        "-CAfile",
        "root.pem",
        "-untrusted",
        "issuing.pem",
        "leaf.pem");
  }
}
