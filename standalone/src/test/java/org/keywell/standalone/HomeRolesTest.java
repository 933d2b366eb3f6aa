package org.keywell.standalone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.keywell.signing.database.DatabaseAccess;
import org.keywell.signing.database.DatabaseServer;
import org.keywell.signing.database.SchemaMigration;

/** A start takes a second or three, so one test looks at all that a data directory shows. */
@Tag("postgresql")
@Timeout(120)
final class HomeRolesTest {

  @TempDir private Path home;

  /** Earlier versions had the superuser alone. */
  @Test
  void aDirectoryOfAnEarlierVersionGetsItsRoles() throws Exception {
    try (EmbeddedDatabase earlier = EmbeddedDatabase.own(home)) {
      SchemaMigration.run(earlier.access());
      execute(earlier.access(), "INSERT INTO key_ledger VALUES ('a', 'b', 'c', 'used', 42)");
    }

    try (DatabaseServer server = new HomeDatabases().own(home)) {
      server.prepare();
      assertThat(query(server.access(), "SELECT keys FROM key_ledger")).isEqualTo("42");
      assertThatExceptionOfType(SQLException.class)
          .isThrownBy(() -> execute(server.access(), "DELETE FROM sign_request"))
          .withMessageContaining("permission denied");
      DatabaseAccess owner = server.owner().orElseThrow();
      execute(owner, "ALTER TABLE pool_key RESET (fillfactor)");
      assertThat(query(owner, "SELECT rolsuper FROM pg_roles WHERE rolname = current_user"))
          .isEqualTo("f");
      assertThatExceptionOfType(SQLException.class)
          .isThrownBy(() ->
              query(
                  new DatabaseAccess(owner.url(), server.access().username(), owner.password()),
                  "SELECT 1"))
          .withMessageContaining("password authentication failed");

      // As from another process, such as a fill.
      try (EmbeddedDatabase visited = EmbeddedDatabase.visit(home).orElseThrow()) {
        HomeRoles roles = new HomeRoles(visited.access(), home);
        assertThat(roles.service()).isEqualTo(server.access());
        roles.prepare();
      }
      assertThat(query(server.access(), "SELECT keys FROM key_ledger")).isEqualTo("42");
    }
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

  private static Connection connect(DatabaseAccess access) throws SQLException {
    return DriverManager.getConnection(access.url(), access.username(), access.password());
  }
}
