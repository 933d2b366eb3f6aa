package org.keywell.signing.database;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import org.keywell.settings.DatabaseProperties;
import org.keywell.settings.StartRefusedException;
import org.keywell.signing.start.NotThereYetException;

/**
 * Creates roles in an external database, as the owner that the settings name, or else as its user.
 */
public final class RoleCreation {

  private RoleCreation() {}

  /**
   * See {@link DatabaseRoles#create}.
   *
   * @throws NotThereYetException if the database cannot be reached
   * @throws StartRefusedException if it refuses, or is the embedded one, which has its roles
   */
  public static void run(DatabaseRoles roles, DatabaseProperties properties) {
    if (properties.isEmbedded()) {
      throw new StartRefusedException(
          "the embedded database has its roles; set keywell.database.url to another");
    }
    DatabaseServer server = DatabaseConfiguration.external(properties);
    DatabaseAccess access = server.owner().orElseGet(server::access);
    try (Connection connection =
        DriverManager.getConnection(access.url(), access.username(), access.password())) {
      roles.create(connection);
    } catch (SQLException e) {
      if (MissingDatabase.isNotThereYet(e)) {
        throw new NotThereYetException(
            "the database %s cannot be reached: %s".formatted(access, MissingDatabase.reason(e)),
            e);
      }
      throw new StartRefusedException(
          "%s cannot create the roles in %s: %s"
              .formatted(access.username(), access, MissingDatabase.reason(e)),
          e);
    }
  }
}
