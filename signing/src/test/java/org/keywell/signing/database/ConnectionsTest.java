package org.keywell.signing.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.zaxxer.hikari.HikariDataSource;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.keywell.signing.BoundSettings;
import org.keywell.testkit.PostgresForTests;
import org.keywell.testkit.Sql;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** Connections as the service makes them. */
@Tag("postgresql")
@Timeout(60)
@ExtendWith(OutputCaptureExtension.class)
final class ConnectionsTest {

  private static final PostgresForTests.Database DATABASE = PostgresForTests.newDatabase();

  /** "local" does not wait for a standby, "remote_write" not for its disk. */
  @ParameterizedTest
  @ValueSource(strings = {"off", "local", "remote_write", "on"})
  void aCommitIsDurableOnTheStandbyWhateverTheServersDefault(String setting) throws SQLException {
    assertThat(synchronousCommit(setting)).isEqualTo("on");
  }

  @Test
  void aStrongerSettingStays() throws SQLException {
    assertThat(synchronousCommit("remote_apply")).isEqualTo("remote_apply");
  }

  /**
   * A server that hangs takes connections, since its system does, and says nothing. The URL's
   * timeouts bound that, and go before Keywell's own.
   */
  @Test
  void theHostThatTakesWritesIsFoundBehindOneThatHangs() throws Exception {
    try (ServerSocket hangs = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      String url =
          DATABASE
              .url()
              .replaceFirst(
                  "//([^/]+)/",
                  "//%s:%d,$1/"
                      .formatted(hangs.getInetAddress().getHostAddress(), hangs.getLocalPort()));
      long began = System.nanoTime();
      try (HikariDataSource connections =
          connections(
              with(url, "targetServerType=primary&sslResponseTimeout=500&socketTimeout=1"))) {
        assertThat(new Sql(connections).count("SELECT 1")).isEqualTo(1);
      }
      assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(20));
    }
  }

  /**
   * What is set for a role or a database holds for the sessions that start meanwhile, and goes on
   * holding for them when it is reset.
   */
  @ParameterizedTest
  @CsvSource({
    "default_transaction_read_only, on, CREATE TABLE written (id int), 25006",
    "statement_timeout, 1s, SELECT pg_sleep(50), 57014",
    "lock_timeout, 10ms, ALTER TABLE pool_key RESET (fillfactor), 55P03"
  })
  void noSessionOutlivesASettingThatKeptOneFromWorking(
      String setting, String value, String statement, String sqlState) throws SQLException {
    PostgresForTests.Database database = PostgresForTests.newDatabase();
    try (Connection administrator =
            DriverManager.getConnection(database.url(), database.username(), database.password());
        Statement administration = administrator.createStatement();
        HikariDataSource pool = connections(database, database.url(), 3)) {
      String name = administrator.getCatalog();
      administration.execute("ALTER DATABASE %s SET %s = '%s'".formatted(name, setting, value));
      assertThat(inEachOfThree(pool, setting)).containsOnly(value);
      administration.execute("ALTER DATABASE %s RESET %s".formatted(name, setting));

      administrator.setAutoCommit(false);
      administration.execute("LOCK TABLE pool_key");
      assertThatExceptionOfType(SQLException.class)
          .isThrownBy(() -> new Sql(pool).update(statement))
          .satisfies(refused -> assertThat(refused.getSQLState()).isEqualTo(sqlState));
      administrator.rollback();

      assertThat(inEachOfThree(pool, setting)).doesNotContain(value);
    }
  }

  @Test
  void connectionsThatAreEndedAreToldOfOnce(CapturedOutput log) throws SQLException {
    try (HikariDataSource pool = connections(DATABASE, DATABASE.url(), 3)) {
      for (int i = 0; i < 3; i++) {
        assertThatExceptionOfType(SQLException.class)
            .isThrownBy(
                () -> new Sql(pool).text("SELECT pg_terminate_backend(pg_backend_pid())::text"));
      }
    }

    assertThat(log.getAll().lines().filter(line -> line.contains("SQL state 57P01")))
        .singleElement()
        .asString()
        .contains("connections of the pool test fail and are replaced", "terminating connection");
  }

  private static List<String> inEachOfThree(HikariDataSource pool, String setting)
      throws SQLException {
    try (Connection first = pool.getConnection();
        Connection second = pool.getConnection();
        Connection third = pool.getConnection()) {
      return List.of(show(first, setting), show(second, setting), show(third, setting));
    }
  }

  private static String show(Connection connection, String setting) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SHOW " + setting)) {
      row.next();
      return row.getString(1);
    }
  }

  private static String synchronousCommit(String setting) throws SQLException {
    try (HikariDataSource connections =
        connections(with(DATABASE.url(), "options=-c%20synchronous_commit=" + setting))) {
      return new Sql(connections).text("SHOW synchronous_commit");
    }
  }

  private static String with(String url, String parameters) {
    return url + (url.contains("?") ? "&" : "?") + parameters;
  }

  private static HikariDataSource connections(String url) {
    return connections(DATABASE, url, 1);
  }

  private static HikariDataSource connections(
      PostgresForTests.Database database, String url, int size) {
    return DatabaseConfiguration.connections(
        "test",
        size,
        new DatabaseAccess(url, database.username(), database.password()),
        BoundSettings.of(),
        new TimelineGuard());
  }
}
