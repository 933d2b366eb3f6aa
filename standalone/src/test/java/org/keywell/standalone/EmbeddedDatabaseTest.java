package org.keywell.standalone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.BufferedReader;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.keywell.signing.database.DatabaseAccess;
import org.keywell.testkit.Await;
import org.keywell.testkit.PostgresProcesses;

/** Each start takes a second or three, so that each test looks at all that one start shows. */
@Tag("postgresql")
@Timeout(120)
final class EmbeddedDatabaseTest {

  @TempDir private Path home;

  @Test
  void isDurableAndAsksForThePassword() throws Exception {
    try (EmbeddedDatabase database = EmbeddedDatabase.own(home)) {
      DatabaseAccess access = database.access();
      assertThat(query(access, "SHOW fsync")).isEqualTo("on");
      assertThat(query(access, "SHOW synchronous_commit")).isEqualTo("on");
      assertThat(query(access, "SHOW full_page_writes")).isEqualTo("on");
      assertThat(query(access, "SHOW listen_addresses")).isEqualTo("127.0.0.1");
      assertThat(query(access, "SHOW unix_socket_directories")).isEmpty();

      for (String wrong : new String[] {"", "wrong", "postgres"}) {
        assertThatExceptionOfType(SQLException.class)
            .isThrownBy(() ->
                query(new DatabaseAccess(access.url(), access.username(), wrong), "SELECT 1"));
      }
      // Nobody could connect without one while the cluster was new, either.
      assertThat(
              query(access, "SELECT string_agg(DISTINCT auth_method, ' ') FROM pg_hba_file_rules"))
          .isEqualTo("scram-sha-256");
    }
  }

  @Test
  void keepsItsDataAndStopsOnlyWithItsOwner() throws Exception {
    try (EmbeddedDatabase database = EmbeddedDatabase.own(home)) {
      execute(database.access(), "CREATE TABLE kept AS SELECT 42 AS value");
      try (EmbeddedDatabase visitor = EmbeddedDatabase.visit(home).orElseThrow()) {
        assertThat(visitor.access()).isEqualTo(database.access());
      }
      assertThat(query(database.access(), "SELECT value FROM kept")).isEqualTo("42");
    }
    assertThat(EmbeddedDatabase.visit(home)).isEmpty();

    try (EmbeddedDatabase again = EmbeddedDatabase.own(home)) {
      assertThat(query(again.access(), "SELECT value FROM kept")).isEqualTo("42");
    }
  }

  /** As at the end of a process that is out of memory, which stops nothing. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void endsWithItsProcessHoweverThatEnds(boolean isKilled) throws Exception {
    Process owner = ServerHolder.start(home);
    try (BufferedReader told = owner.inputReader()) {
      // After what it logs.
      assertThat(told.lines().anyMatch("owned"::equals)).isTrue();
      PostgresProcesses server = PostgresProcesses.of(home);
      if (isKilled) {
        owner.destroyForcibly();
      } else {
        owner.getOutputStream().close();
      }
      assertThat(owner.waitFor(20, TimeUnit.SECONDS)).isTrue();

      server.awaitEnd();
      try (EmbeddedDatabase next = EmbeddedDatabase.own(home)) {
        assertThat(query(next.access(), "SELECT value FROM kept")).isEqualTo("42");
        assertThat(PostgresProcesses.of(home).postmaster()).isNotEqualTo(server.postmaster());
      }
    } finally {
      owner.destroyForcibly();
    }
  }

  /** A process that does not close it leaves the server running. */
  @Test
  void takesOverAServerThatWasLeftRunning() throws Exception {
    EmbeddedDatabase left = EmbeddedDatabase.own(home);
    String server = query(left.access(), "SELECT pg_postmaster_start_time()");

    try (EmbeddedDatabase next = EmbeddedDatabase.own(home)) {
      assertThat(next.access()).isEqualTo(left.access());
      assertThat(query(next.access(), "SELECT pg_postmaster_start_time()")).isEqualTo(server);
    }
    assertThat(EmbeddedDatabase.visit(home)).isEmpty();
    assertThatExceptionOfType(SQLException.class)
        .isThrownBy(() -> query(left.access(), "SELECT 1"));
  }

  @Test
  void tellsOfItsEndUnlessItIsStopped() throws Exception {
    AtomicInteger told = new AtomicInteger();
    try (EmbeddedDatabase database = EmbeddedDatabase.own(home)) {
      database.onUnexpectedEnd(told::incrementAndGet);
      execute(database.access(), "CREATE TABLE kept AS SELECT 42 AS value");
      PostgresProcesses server = PostgresProcesses.of(home);
      server.killPostmaster();

      Await.until("its end is told", () -> told.get() == 1);
      server.awaitEnd();
    }

    EmbeddedDatabase again = EmbeddedDatabase.own(home);
    again.onUnexpectedEnd(told::incrementAndGet);
    assertThat(query(again.access(), "SELECT value FROM kept")).isEqualTo("42");
    PostgresProcesses server = PostgresProcesses.of(home);
    again.close();
    server.awaitEnd();
    assertThat(told).hasValue(1);
  }

  /** A fill that runs beside the service must not keep its database up. */
  @Test
  void stopsAServerThatItTookOverAlsoUnderAVisitor() throws Exception {
    EmbeddedDatabase left = EmbeddedDatabase.own(home);
    try (Connection visitor = connect(left.access())) {
      assertThat(visitor.isValid(5)).isTrue();

      EmbeddedDatabase.own(home).close();

      assertThat(EmbeddedDatabase.visit(home)).isEmpty();
      assertThat(visitor.isValid(5)).isFalse();
    }
  }

  private static Connection connect(DatabaseAccess access) throws SQLException {
    return DriverManager.getConnection(access.url(), access.username(), access.password());
  }

  private static String query(DatabaseAccess access, String sql) throws SQLException {
    try (Connection connection = connect(access);
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      row.next();
      return String.valueOf(row.getString(1));
    }
  }

  private static void execute(DatabaseAccess access, String sql) throws SQLException {
    try (Connection connection = connect(access);
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}
