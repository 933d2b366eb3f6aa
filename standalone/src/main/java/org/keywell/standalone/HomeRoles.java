package org.keywell.standalone;

import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import org.keywell.signing.database.DatabaseAccess;
import org.keywell.signing.database.DatabaseRoles;

/**
 * The roles of a data directory's server. The service's has a random password in a file; the
 * owner's is the superuser's.
 */
final class HomeRoles {

  private static final DatabaseRoles ROLES =
      new DatabaseRoles(DatabaseRoles.OWNER, DatabaseRoles.SERVICE, DatabaseRoles.REPORTS);

  private final DatabaseAccess superuser;
  private final String servicePassword;

  HomeRoles(DatabaseAccess superuser, Path home) throws IOException {
    this.superuser = superuser;
    this.servicePassword = PrivateFiles.secret(home.resolve("postgres.service-password"));
  }

  DatabaseAccess service() {
    return new DatabaseAccess(superuser.url(), ROLES.service(), servicePassword);
  }

  DatabaseAccess owner() {
    return new DatabaseAccess(superuser.url(), ROLES.owner(), superuser.password());
  }

  /** Creates the roles, or completes those that are there. */
  void prepare() throws SQLException {
    try (Connection connection =
            DriverManager.getConnection(
                superuser.url(), superuser.username(), superuser.password());
        Statement statement = connection.createStatement()) {
      ROLES.create(connection);
      setPassword(statement, service());
      setPassword(statement, owner());
    }
  }

  private static void setPassword(Statement statement, DatabaseAccess role) throws SQLException {
    statement.execute("ALTER ROLE %s PASSWORD '%s'".formatted(role.username(), role.password()));
  }
}
