package org.keywell.signing.record;

import com.zaxxer.hikari.HikariDataSource;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntConsumer;
import javax.sql.DataSource;
import org.keywell.ca.CaChain;
import org.keywell.ca.FakeCertificateAuthority;
import org.keywell.keypool.hsm.Destruction;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.keypool.hsm.WrappedKey;
import org.keywell.keypool.store.JdbcWrappedKeyStore;
import org.keywell.keypool.store.StoredKey;
import org.keywell.signing.request.FailureReason;
import org.keywell.signing.request.IssuedCertificate;
import org.keywell.signing.request.KeyUse;
import org.keywell.signing.request.SignOutcome;
import org.keywell.testkit.PostgresForTests;
import org.keywell.testkit.Sql;

/** A migrated PostgreSQL that knows a CA's chain. */
public final class RecordsDatabase implements AutoCloseable {

  /** As many as wait in no test but those of the limit itself. */
  public static final int QUEUE_LIMIT = 1_024;

  /** Longer than any test may last. */
  public static final Duration LIMIT = Duration.ofSeconds(60);

  private static final AtomicLong lastKey = new AtomicLong();

  static final CaChain CHAIN = CaChain.of(new FakeCertificateAuthority().chain());

  private final HikariDataSource dataSource = PostgresForTests.newDatabase().dataSource();

  public RecordsDatabase() {
    new SignRecords(dataSource).keep(CHAIN);
  }

  public HikariDataSource dataSource() {
    return dataSource;
  }

  /** The same database by a driver that joins inserts; the caller closes it. */
  HikariDataSource rewritingBatches() {
    HikariDataSource rewriting = new HikariDataSource();
    dataSource.copyStateTo(rewriting);
    rewriting.addDataSourceProperty("reWriteBatchedInserts", "true");
    return rewriting;
  }

  /** A writer of records that is not started. */
  RecordWriter writer(String instance) {
    return writer(dataSource, instance);
  }

  /** The same over a data source of this database. */
  public RecordWriter writer(DataSource records, String instance) {
    return writer(records, instance, QUEUE_LIMIT, closed -> {});
  }

  /** One that gives an outcome up as soon as the database is away. */
  public RecordWriter writer(
      DataSource records, String instance, int queueLimit, IntConsumer closedUnrecorded) {
    return writer(records, instance, queueLimit, Duration.ZERO, closedUnrecorded);
  }

  /** One that tells of its transactions. */
  RecordWriter writer(String instance, RecordListener transactions) {
    return writer(dataSource, instance, QUEUE_LIMIT, Duration.ZERO, transactions, closed -> {});
  }

  public RecordWriter writer(
      DataSource records,
      String instance,
      int queueLimit,
      Duration outcomePatience,
      IntConsumer closedUnrecorded) {
    return writer(
        records, instance, queueLimit, outcomePatience, new RecordListener() {}, closedUnrecorded);
  }

  private RecordWriter writer(
      DataSource records,
      String instance,
      int queueLimit,
      Duration outcomePatience,
      RecordListener transactions,
      IntConsumer closedUnrecorded) {
    JdbcWrappedKeyStore keys = new JdbcWrappedKeyStore(dataSource, instance, "wrapping");
    return new RecordWriter(
        new RecordTransaction(records, keys, instance, "pooled"),
        queueLimit,
        outcomePatience,
        System::nanoTime,
        transactions,
        closedUnrecorded);
  }

  public Sql sql() {
    return new Sql(dataSource);
  }

  /** A key as it leaves the pool: claimed, used and destroyed. */
  static KeyUse newKeyUse() {
    long id = lastKey.incrementAndGet();
    byte[] publicKey = ("public key " + id).getBytes(StandardCharsets.UTF_8);
    return KeyUse.of(
        new StoredKey(
            id, new WrappedKey(KeySpec.EC_P256, "wrapping", "AES-KWP", publicKey, new byte[] {1})),
        publicKey,
        Destruction.DONE);
  }

  /** As where the HSM failed; the key was made for the request, so that nothing else names it. */
  static SignOutcome.Failed failedWith(Destruction destruction) {
    return new SignOutcome.Failed(
        FailureReason.HSM_UNAVAILABLE,
        "the HSM did not sign",
        KeyUse.of(null, new byte[] {1}, destruction));
  }

  static SignOutcome.Signed signedWith(KeyUse use) {
    return signedWith(use, CHAIN);
  }

  static SignOutcome.Signed signedWith(KeyUse use, CaChain chain) {
    return new SignOutcome.Signed(
        List.of(new byte[] {1, 2}),
        List.of(),
        new IssuedCertificate(new byte[] {3, 4}, "5eed", chain),
        use);
  }

  @Override
  public void close() {
    dataSource.close();
  }
}
