package org.keywell.signing.record;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import java.nio.ByteBuffer;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.keywell.keypool.hsm.Destruction;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.keypool.hsm.WrappedKey;
import org.keywell.keypool.store.JdbcWrappedKeyStore;
import org.keywell.keypool.store.StoredKey;
import org.keywell.settings.KeywellProperties;
import org.keywell.signing.BoundSettings;
import org.keywell.signing.database.DatabaseAccess;
import org.keywell.signing.database.DatabaseConfiguration;
import org.keywell.signing.database.OwnedDatabaseConfiguration;
import org.keywell.signing.database.QuotaTable;
import org.keywell.signing.database.SeenMessages;
import org.keywell.signing.database.TimelineGuard;
import org.keywell.signing.log.LogWriter;
import org.keywell.signing.request.KeyUse;
import org.keywell.signing.request.RequestTimes;
import org.keywell.signing.request.RequestTimes.Stage;
import org.keywell.signing.request.SampleRequests;
import org.keywell.signing.request.SignRequest;
import org.keywell.signing.request.SigningForm;
import org.keywell.testkit.PostgresForTests;
import org.keywell.testkit.RowsRead;
import org.keywell.testkit.Sql;

/**
 * What the signing path reads while PostgreSQL takes tables for nearly empty: in the first minutes
 * of a month, in a new database, and after a table was emptied. Autovacuum looks once, too early,
 * and not again.
 */
@Tag("postgresql")
@Timeout(120)
final class FreshTablesTest {

  private static final int REQUESTS = 800;
  private static final int TOGETHER = 8;
  private static final int STORED = 200;

  /** Each statement that touches a table reads a row or two; several touch the same table. */
  private static final int ROWS_PER_REQUEST = 12;

  private static final String SESSIONS = "keywell fresh-tables";

  private static final String EMPTY =
      """
      DELETE FROM sign_request; DELETE FROM known_request; DELETE FROM used_key;
      DELETE FROM used_proof; DELETE FROM log_pending; DELETE FROM claimed_key;
      DELETE FROM pool_key; DELETE FROM seen_message; DELETE FROM caller_quota
      """;

  private static int lastPoint;

  private final PostgresForTests.Database database = PostgresForTests.newDatabase();
  private final HikariDataSource superuser = database.dataSource();
  private final Sql sql = new Sql(superuser);
  private final RowsRead rows = new RowsRead(superuser);

  FreshTablesTest() throws SQLException {}

  @BeforeEach
  void keepALog() throws SQLException {
    int _ =
        sql.update(
            "INSERT INTO log_tree (origin, size, root) VALUES ('test.example/log', 0, sha256(''))");
  }

  @AfterEach
  void close() {
    superuser.close();
  }

  @Test
  void noRequestReadsItsWholeMonthInANewDatabase() throws Exception {
    try (Session session = new Session()) {
      session.sign(TOGETHER);
      rows.begin();
      session.store(STORED);
      session.sign(REQUESTS);
    }
    assertReadLittle();
  }

  @Test
  void noRequestReadsWholeTablesThatWereEmptied() throws Exception {
    try (Session session = new Session()) {
      session.sign(20 * TOGETHER);
      int _ = sql.update(EMPTY);
      rows.begin();
      session.store(STORED);
      session.sign(REQUESTS);
    }
    assertReadLittle();
  }

  private void assertReadLittle() throws Exception {
    assertThat(rows.above(ROWS_PER_REQUEST, REQUESTS, SESSIONS)).as("rows per request").isEmpty();
  }

  /** The service's connections, and what signs over them. */
  private final class Session implements AutoCloseable {
    private final KeywellProperties properties = BoundSettings.of("keywell.instance=fresh-tables");
    private final DatabaseAccess access =
        new DatabaseAccess(
            database.url(), database.asService().username(), database.asService().password());
    private final HikariDataSource connections =
        DatabaseConfiguration.connections("test", 2, access, properties, new TimelineGuard());
    private final HikariDataSource records =
        OwnedDatabaseConfiguration.records(access, properties, new TimelineGuard());
    private final JdbcWrappedKeyStore keys =
        new JdbcWrappedKeyStore(connections, "fresh-tables", "wrapping");
    private final RecordTransaction transaction =
        new RecordTransaction(
            records, keys, "fresh-tables", "pooled", LogWriter.on(System::nanoTime));
    private final SignRecords reads = new SignRecords(connections);
    private final SeenMessages messages = new SeenMessages(connections);
    private final QuotaTable quotas = new QuotaTable(connections);

    Session() {
      reads.keep(RecordsDatabase.CHAIN);
    }

    void sign(int requests) throws Exception {
      for (int done = 0; done < requests; done += TOGETHER) {
        signTogether();
      }
    }

    void store(int count) {
      for (int i = 0; i < count; i++) {
        long _ = keys.add(newKey());
      }
    }

    /** One of each form and several of the simple one, from keys to records that are read. */
    private void signTogether() throws Exception {
      store(TOGETHER);
      List<StoredKey> claimed = keys.claim(KeySpec.EC_P256, TOGETHER);
      assertThat(claimed).hasSize(TOGETHER);
      assertThat(keys.used(claimed)).isEmpty();
      assertThat(keys.onLedger(claimed.stream().map(StoredKey::id).toList())).hasSize(TOGETHER);
      List<SignRequest> requests = new ArrayList<>();
      requests.add(SampleRequests.with(UUID.randomUUID(), UUID.randomUUID()));
      requests.add(SampleRequests.of(new SigningForm.InTwoCalls(1, Duration.ZERO), 1));
      while (requests.size() < TOGETHER) {
        requests.add(SampleRequests.any());
      }
      List<Entry> intents = new ArrayList<>();
      List<Entry> outcomes = new ArrayList<>();
      RequestTimes times = new RequestTimes(InstantSource.system(), System::nanoTime);
      Arrays.stream(Stage.values()).skip(1).forEach(times::mark);
      for (int i = 0; i < TOGETHER; i++) {
        intents.add(new Entry.Intent(requests.get(i), times, new CompletableFuture<>()));
        KeyUse use = KeyUse.of(claimed.get(i), claimed.get(i).key().publicKey(), Destruction.DONE);
        outcomes.add(
            new Entry.Outcome(
                requests.get(i),
                times,
                RecordsDatabase.signedWith(use),
                new CompletableFuture<>(),
                Long.MAX_VALUE));
      }
      assertThat(transaction.commit(Batch.of(intents), List.of()).isNew()).doesNotContain(false);
      assertThat(transaction.commit(Batch.of(outcomes), List.of()).onRecord())
          .doesNotContain(false);
      SignRequest unrecorded = SampleRequests.any();
      Entry.Intent intent = new Entry.Intent(unrecorded, times, new CompletableFuture<>());
      assertThat(transaction.commit(Batch.of(List.of(intent)), List.of()).isNew())
          .containsOnly(true);
      assertThat(transaction.commit(Batch.of(List.of()), List.of(Unrecorded.of(intent))).closed())
          .isEqualTo(1);
      // As after a commit whose answer was lost.
      assertThat(transaction.commit(Batch.of(List.of(outcomes.getLast())), List.of()).onRecord())
          .containsOnly(true);
      for (SignRequest request : requests) {
        assertThat(reads.find(request.requestId())).isPresent();
        assertThat(
                messages.take(
                    "sender",
                    request.requestId().toString(),
                    "delivery",
                    Instant.now().plusSeconds(60)))
            .isTrue();
      }
      long _ =
          quotas.reserve(
              "caller", Instant.now().atOffset(ZoneOffset.UTC).toLocalDate(), 1L << 40, 1);
    }

    @Override
    public void close() {
      connections.close();
      records.close();
    }
  }

  private static WrappedKey newKey() {
    ByteBuffer key =
        ByteBuffer.allocate(91)
            .put(HexFormat.of().parseHex("3059301306072a8648ce3d020106082a8648ce3d03010703420004"));
    key.putInt(87, ++lastPoint);
    return new WrappedKey(KeySpec.EC_P256, "wrapping", "AES-KWP", key.array(), new byte[1_200]);
  }
}
