package org.keywell.signing.log;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.keywell.settings.KeywellProperties;
import org.keywell.signing.BoundSettings;
import org.keywell.signing.database.DatabaseAccess;
import org.keywell.signing.database.DatabaseConfiguration;
import org.keywell.signing.database.TimelineGuard;
import org.keywell.testkit.PostgresForTests;
import org.keywell.testkit.RowsRead;
import org.keywell.testkit.Sql;
import org.keywell.tlog.RightEdge;

/** What the sequencer reads of a log that PostgreSQL takes for nearly empty. */
@Tag("postgresql")
@Timeout(120)
final class FreshLogTest {

  private static final String ORIGIN = "test.example/log";
  private static final int ROUNDS = 400;
  private static final int TOGETHER = 8;
  private static final int BACKLOG = 20_000;
  private static final int EMPTIED = 4_000;

  /** Of an entry: to take it, to place it, and those of the index that lead to none any more. */
  private static final int ROWS_PER_ENTRY = 8;

  private static final String SESSIONS = "keywell fresh-log";

  private final PostgresForTests.Database database = PostgresForTests.newDatabase();
  private final HikariDataSource superuser = database.dataSource();
  private final RowsRead rows = new RowsRead(superuser);

  FreshLogTest() throws SQLException {}

  @AfterEach
  void close() {
    superuser.close();
  }

  @Test
  void noEntryHasTheWholeLogReadInANewDatabase() throws Exception {
    try (Session session = new Session()) {
      session.rounds(2);
      rows.begin();
      session.rounds(ROUNDS);
    }
    assertReadLittle(ROUNDS * TOGETHER);
  }

  @Test
  void noEntryHasTheWholeLogReadAfterItWasEmptied() throws Exception {
    try (Session session = new Session()) {
      session.add(EMPTIED);
      assertThat(new Sql(superuser).update("DELETE FROM log_pending")).isEqualTo(EMPTIED);
      rows.begin();
      session.rounds(ROUNDS);
    }
    assertReadLittle(ROUNDS * TOGETHER);
  }

  @Test
  void noEntryHasTheWholeQueueReadThatHasGrownLong() throws Exception {
    try (Session session = new Session()) {
      session.rounds(2);
      rows.begin();
      session.add(BACKLOG);
      session.place(200);
    }
    assertReadLittle(BACKLOG);
  }

  private void assertReadLittle(int entries) throws Exception {
    assertThat(rows.above(ROWS_PER_ENTRY, entries, SESSIONS)).as("rows per entry").isEmpty();
  }

  /** The service's connections, and what keeps the log over them. */
  private final class Session implements AutoCloseable {
    private final KeywellProperties properties = BoundSettings.of("keywell.instance=fresh-log");
    private final HikariDataSource connections =
        DatabaseConfiguration.connections(
            "test",
            2,
            new DatabaseAccess(
                database.url(), database.asService().username(), database.asService().password()),
            properties,
            new TimelineGuard());
    private final LogTables tables = new LogTables(connections);
    private final LogWriter writer = LogWriter.on(System::nanoTime);
    private RightEdge edge = RightEdge.empty();

    Session() {
      tables.begin(ORIGIN);
    }

    void add(int entries) throws SQLException {
      List<LogEntry> all =
          Stream.generate(() -> LogEntry.of("request", UUID.randomUUID())).limit(entries).toList();
      try (var connection = connections.getConnection()) {
        writer.committed(writer.add(connection, all));
      }
    }

    /** Has up to so many of those that wait placed at once, until none waits. */
    void place(int most) {
      boolean more = true;
      while (more) {
        TreeGrowth.Grown grown = tables.grow(edge, most).orElseThrow();
        edge = grown.edge();
        more = grown.mayBeMore();
        LogTables.Head head = tables.head();
        tables.keep(head.size(), new byte[] {1});
        assertThat(tables.holds(head.size() - 1, new byte[] {1})).isFalse();
      }
    }

    void rounds(int count) throws SQLException {
      for (int i = 0; i < count; i++) {
        add(TOGETHER);
        place(4_096);
        assertThat(tables.ofRequest(UUID.randomUUID())).isEmpty();
      }
    }

    @Override
    public void close() {
      connections.close();
    }
  }
}
