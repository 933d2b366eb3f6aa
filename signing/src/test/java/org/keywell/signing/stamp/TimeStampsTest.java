package org.keywell.signing.stamp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.zaxxer.hikari.HikariDataSource;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.keywell.ca.issuance.SerialNumbers;
import org.keywell.ca.timestamp.StampAnswer;
import org.keywell.ca.timestamp.StampAnswer.Failure;
import org.keywell.ca.timestamp.StampAnswer.Granted;
import org.keywell.ca.timestamp.StampAnswer.Rejected;
import org.keywell.ca.timestamp.TimeStampPolicy;
import org.keywell.ca.timestamp.TimeStampUnit;
import org.keywell.signing.ca.SampleUnits;
import org.keywell.signing.ca.StampUnit;
import org.keywell.signing.caller.Caller;
import org.keywell.signing.log.LogCommitter;
import org.keywell.signing.log.LogWriter;
import org.keywell.signing.request.Refusal.Reason;
import org.keywell.signing.request.RefusedException;
import org.keywell.testkit.OpenSsl;
import org.keywell.testkit.PostgresForTests;
import org.keywell.testkit.Sql;
import org.keywell.testkit.TlsAuthority;
import org.springframework.boot.ssl.pem.PemSslStoreBundle;
import org.springframework.boot.ssl.pem.PemSslStoreDetails;

/** Units that fail, a log that fails, and more requests than places. */
@Tag("postgresql")
@Timeout(60)
final class TimeStampsTest {

  private static final Caller CALLER = Caller.onLoopback();
  private static final String LOGGED =
      "SELECT convert_from(entry, 'UTF8')::jsonb ->> 'serial' FROM log_pending ORDER BY seq";

  @TempDir Path files;
  private final List<StampAnswer> told = new ArrayList<>();
  private HikariDataSource dataSource;
  private HikariDataSource superuser;
  private LogCommitter entries;
  private TimeStamps stamps;
  private byte[] request;
  private PrivateKey key;
  private X509Certificate certificate;

  @BeforeEach
  void open() throws Exception {
    TlsAuthority authority = TlsAuthority.create(files, "ca");
    authority.certify(
        "unit", "keyUsage=critical,digitalSignature", "extendedKeyUsage=critical,timeStamping");
    KeyStore keys =
        Objects.requireNonNull(
            new PemSslStoreBundle(
                    PemSslStoreDetails.forCertificate(uri("unit.pem"))
                        .withPrivateKey(uri("unit.key")),
                    null)
                .getKeyStore());
    key = (PrivateKey) keys.getKey("ssl", new char[0]);
    try (InputStream in = Files.newInputStream(files.resolve("unit.pem"))) {
      certificate =
          (X509Certificate) CertificateFactory.getInstance("X.509").generateCertificate(in);
    }
    Files.writeString(files.resolve("document"), "a document");
    new OpenSsl(files).run("ts", "-query", "-data", "document", "-sha256", "-out", "query");
    request = Files.readAllBytes(files.resolve("query"));
    PostgresForTests.Database database = PostgresForTests.newDatabase();
    dataSource = database.asService().dataSource();
    superuser = database.dataSource();
    entries = new LogCommitter(dataSource, LogWriter.on(System::nanoTime), 100);
    entries.start();
    stamps = stamps(2);
  }

  private String uri(String file) {
    return files.resolve(file).toUri().toString();
  }

  private TimeStamps stamps(int atOnce) {
    return new TimeStamps(
        new ClockGuard(
            List.of(),
            Duration.ofMinutes(1),
            Duration.ofMillis(500),
            InstantSource.system(),
            System::nanoTime,
            _ -> {
              throw new AssertionError("nobody is asked");
            },
            Optional::empty),
        new SerialNumbers(new SecureRandom()),
        entries,
        atOnce,
        "here",
        told::add);
  }

  @AfterEach
  void close() {
    assertThat(entries.end(Duration.ofSeconds(10))).isTrue();
    superuser.close();
    dataSource.close();
  }

  private StampUnit unit(String device, Function<byte[], Optional<byte[]>> sign) {
    List<X509Certificate> chain = List.of(certificate);
    return SampleUnits.of(
        device,
        new TimeStampUnit(sign, chain, new TimeStampPolicy("1.2.3", Duration.ofSeconds(1))),
        chain);
  }

  private Optional<byte[]> signed(byte[] message) {
    try {
      Signature signature = Signature.getInstance("SHA256withECDSA");
      signature.initSign(key);
      signature.update(message);
      return Optional.of(signature.sign());
    } catch (GeneralSecurityException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void aUnitThatFailsIsReplacedByTheNext() throws Exception {
    stamps.add(unit("east", _ -> Optional.empty()));
    stamps.add(unit("west", this::signed));
    Granted granted = (Granted) stamps.stamp(CALLER, request);

    assertThat(new Sql(superuser).texts(LOGGED)).containsExactly(granted.serial().toString(16));
    assertThat(told).containsExactly(granted);
  }

  @Test
  void whereNoneCanSignThatIsTheAnswer() throws Exception {
    stamps.add(unit("east", _ -> Optional.empty()));
    Rejected rejected = (Rejected) stamps.stamp(CALLER, request);

    assertThat(rejected.failure()).isEqualTo(Failure.SYSTEM_FAILURE);
    assertThat(new Sql(superuser).texts(LOGGED)).isEmpty();
  }

  @Test
  void aUnitThatComesAgainTakesItsOwnPlace() {
    stamps.add(unit("east", this::signed));
    stamps.add(unit("east", this::signed));

    assertThat(stamps.chains()).hasSize(1);
  }

  @Test
  void aTimeStampThatIsNotInTheLogStaysHere() throws Exception {
    stamps.add(unit("east", this::signed));
    var _ = new Sql(superuser).update("ALTER TABLE log_pending RENAME TO log_gone");
    assertThatExceptionOfType(RefusedException.class)
        .isThrownBy(() -> stamps.stamp(CALLER, request))
        .satisfies(e -> assertThat(e.refusal().reason()).isEqualTo(Reason.RECORD_UNAVAILABLE));
    var _ = new Sql(superuser).update("ALTER TABLE log_gone RENAME TO log_pending");

    assertThat(told).isEmpty();
    assertThat(stamps.stamp(CALLER, request)).isInstanceOf(Granted.class);
  }

  @Test
  void moreThanThereArePlacesForAreRefusedByTheSetting() throws Exception {
    CountDownLatch inside = new CountDownLatch(2);
    CountDownLatch end = new CountDownLatch(1);
    stamps.add(
        unit(
            "east",
            message -> {
              inside.countDown();
              try {
                assertThat(end.await(30, TimeUnit.SECONDS)).isTrue();
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
              return signed(message);
            }));
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<StampAnswer>> taken = new ArrayList<>();
      for (int i = 0; i < 2; i++) {
        taken.add(threads.submit(() -> stamps.stamp(CALLER, request)));
      }
      assertThat(inside.await(30, TimeUnit.SECONDS)).isTrue();
      assertThatExceptionOfType(RefusedException.class)
          .isThrownBy(() -> stamps.stamp(CALLER, request))
          .satisfies(e -> {
            assertThat(e.refusal().reason()).isEqualTo(Reason.STAMPS_BUSY);
            assertThat(e.refusal().detail()).contains("keywell.tsa.max-concurrent", "2");
          });
      end.countDown();
      for (Future<StampAnswer> each : taken) {
        assertThat(each.get(30, TimeUnit.SECONDS)).isInstanceOf(Granted.class);
      }
    }
    assertThat(new Sql(superuser).texts(LOGGED)).hasSize(2);
  }
}
