package org.keywell.signing.record;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.TreeMap;
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
import org.keywell.signing.log.LogWriter;
import org.keywell.signing.request.FailureReason;
import org.keywell.signing.request.IssuedCertificate;
import org.keywell.signing.request.KeyUse;
import org.keywell.signing.request.SignOutcome;
import org.keywell.testkit.PostgresForTests;
import org.keywell.testkit.Sql;
import tools.jackson.databind.json.JsonMapper;

/** A migrated PostgreSQL that knows a CA's chain, for the service's role. */
public final class RecordsDatabase implements AutoCloseable {

  /** As many as wait in no test but those of the limit itself. */
  public static final int QUEUE_LIMIT = 1_024;

  /** Longer than any test may last. */
  public static final Duration LIMIT = Duration.ofSeconds(60);

  private static final JsonMapper SORTED = JsonMapper.shared();

  private static final String LOGGED =
      """
      SELECT concat_ws(' ', request_id, e ->> 'status', e ->> 'failure', e ->> 'keyId',
        e ->> 'publicKeySha256', e ->> 'certificateSerial')
      FROM (
        SELECT request_id, convert_from(entry, 'UTF8')::jsonb AS e FROM log_pending
        WHERE request_id IS NOT NULL) AS entries
      WHERE e ->> 'type' = 'request'
      """;

  private static final String RECORDED =
      """
      SELECT concat_ws(' ', request_id, status, failure, coalesce(key_id, withheld_key_id),
        encode(public_key_sha256, 'hex'), certificate_serial)
      FROM sign_request WHERE status NOT IN ('received', 'open')
      """;

  private static final String LOGGED_LATER =
      """
      SELECT concat_ws(' ', e ->> 'request', e ->> 'destruction')
      FROM (SELECT convert_from(entry, 'UTF8')::jsonb AS e FROM log_pending) AS entries
      WHERE e ->> 'type' = 'late-destruction'
      """;

  private static final String RECORDED_LATER =
      "SELECT concat_ws(' ', request_id, late_return_value) FROM late_destruction";

  private static final AtomicLong lastKey = new AtomicLong();

  static final CaChain CHAIN = CaChain.of(new FakeCertificateAuthority().chain());

  private final LogWriter log = LogWriter.on(System::nanoTime);
  private final PostgresForTests.Database database = PostgresForTests.newDatabase();
  private final HikariDataSource dataSource = database.asService().dataSource();

  public RecordsDatabase() {
    new SignRecords(dataSource).keep(CHAIN);
    try {
      sql()
          .update(
              "INSERT INTO log_tree (origin, size, root) VALUES ('test.example/log', 0, sha256(''))");
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  public HikariDataSource dataSource() {
    return dataSource;
  }

  /** Connections of the owner of the tables; the caller closes them. */
  HikariDataSource asOwner() {
    return database.asOwner().dataSource();
  }

  /** A superuser's connection; the caller closes it. */
  Connection administrator() throws SQLException {
    return database.connect();
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
        new RecordTransaction(records, keys, instance, "pooled", log),
        queueLimit,
        outcomePatience,
        System::nanoTime,
        transactions,
        closedUnrecorded);
  }

  /** Closes what an instance has in flight, as its next start does. */
  int closeInFlight(String instance) throws SQLException {
    try (Connection connection = dataSource.getConnection()) {
      return Recovery.closeInFlight(connection, instance);
    }
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

  /**
   * Fails unless the log tells of each end once, as the records do, and of each late destruction.
   */
  @Override
  public void close() {
    try {
      assertThat(sql().texts(LOGGED)).containsExactlyInAnyOrderElementsOf(sql().texts(RECORDED));
      assertThat(sql().texts(LOGGED_LATER))
          .containsExactlyInAnyOrderElementsOf(sql().texts(RECORDED_LATER));
      for (byte[] entry : sql().bytes("SELECT entry FROM log_pending")) {
        assertThat(new String(entry, StandardCharsets.UTF_8)).isEqualTo(canonical(entry));
      }
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    } finally {
      dataSource.close();
    }
  }

  /** The form of RFC 8785, for the values that entries have. */
  private static String canonical(byte[] json) {
    return SORTED.writeValueAsString(SORTED.readValue(json, TreeMap.class));
  }
}
