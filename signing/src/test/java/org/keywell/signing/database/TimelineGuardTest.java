package org.keywell.signing.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.keywell.testkit.Await;
import org.keywell.testkit.OwnPostgres;
import org.keywell.testkit.PostgresForTests.Database;

/** A primary, a standby of it that was promoted, and one that was not. */
@Tag("postgresql")
@Timeout(120)
final class TimelineGuardTest {

  @TempDir static Path home;

  private static OwnPostgres old;
  private static OwnPostgres promoted;
  private static OwnPostgres standby;

  private final TimelineGuard guard = new TimelineGuard();

  @BeforeAll
  static void start() throws Exception {
    old = OwnPostgres.initialize(home.resolve("old"), 16);
    promoted = old.copyTo(home.resolve("promoted")).asStandbyOf(old);
    standby = old.copyTo(home.resolve("standby")).asStandbyOf(old);
    for (OwnPostgres server : new OwnPostgres[] {old, promoted, standby}) {
      server.start();
    }
    old.awaitReady();
    standby.awaitReady();
    promoted.awaitReady().promote();
  }

  @AfterAll
  static void stop() {
    old.close();
    promoted.close();
    standby.close();
  }

  private Connection admitted(OwnPostgres server) throws SQLException {
    return admitted(server, "postgres");
  }

  private Connection admitted(OwnPostgres server, String user) throws SQLException {
    Database database = server.database();
    Connection connection = DriverManager.getConnection(database.url(), user, "");
    try {
      guard.admit(connection);
      return connection;
    } catch (SQLException e) {
      connection.close();
      throw e;
    }
  }

  private static String port(OwnPostgres server) {
    return server.database().url().replaceFirst(".*:(\\d+)/.*", "$1");
  }

  @Test
  void aServerOnALowerTimelineIsRefusedUntilTheRightOneIsBack() throws SQLException {
    admitted(promoted).close();
    assertThatThrownBy(() -> admitted(old))
        .isInstanceOf(SQLException.class)
        .hasMessage(
            "PostgreSQL at 127.0.0.1:%s is on timeline 1, but timeline 2 was seen at 127.0.0.1:%s",
            port(old), port(promoted));
    assertThat(guard.refusal().orElseThrow().why()).contains("timeline 1", "timeline 2");
    long since = guard.refusal().orElseThrow().sinceNanos();
    assertThatThrownBy(() -> admitted(old)).isInstanceOf(SQLException.class);
    assertThat(guard.refusal().orElseThrow().sinceNanos()).isEqualTo(since);

    try (Connection connection = admitted(promoted)) {
      assertThat(connection.isValid(1)).isTrue();
    }
    assertThat(guard.refusal()).isEmpty();
  }

  /** It may wake, and take writes on them. */
  @Test
  void aPromotionEndsTheConnectionsToTheServerBefore() throws Exception {
    try (Connection first = admitted(old);
        Connection second = admitted(old)) {
      assertThat(first.isValid(1)).isTrue();
      try (Connection next = admitted(promoted)) {
        Await.until("both are ended", () -> first.isClosed() && second.isClosed());
        assertThat(next.isValid(1)).isTrue();
      }
    }
    assertThat(guard.refusal()).isEmpty();
  }

  /** The process that asks is another one, as after a restart on purpose. */
  @Test
  void aNewProcessTakesTheServerThatItFinds() throws SQLException {
    admitted(old).close();
    admitted(old).close();
    assertThat(guard.refusal()).isEmpty();
  }

  @Test
  void anotherClusterIsRefused() throws Exception {
    try (OwnPostgres other = OwnPostgres.initialize(home.resolve("other"), 16)) {
      other.start();
      other.awaitReady();
      admitted(old).close();
      assertThatThrownBy(() -> admitted(other))
          .hasMessageContaining("is another cluster (system identifier ");
    }
  }

  /** It refuses writes by itself. */
  @Test
  void aStandbyIsNotAsked() throws SQLException {
    admitted(promoted).close();
    admitted(standby).close();
    assertThat(guard.refusal()).isEmpty();
  }

  @Test
  void aServerThatDoesNotTellIsNotWatched() throws SQLException {
    try (Connection connection = admitted(promoted);
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE ROLE plain LOGIN");
      admitted(promoted, "plain").close();
      assertThatThrownBy(() -> admitted(old)).hasMessageContaining("timeline 1");
      statement.execute("REVOKE EXECUTE ON FUNCTION pg_control_system() FROM PUBLIC");
      try (Connection plain = admitted(promoted, "plain")) {
        assertThat(plain.isValid(1)).isTrue();
      }
    }
  }
}
