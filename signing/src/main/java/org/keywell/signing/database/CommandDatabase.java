package org.keywell.signing.database;

import java.sql.SQLException;
import java.util.Optional;
import java.util.Properties;
import javax.sql.DataSource;
import org.keywell.settings.DatabaseProperties;
import org.keywell.settings.StartRefusedException;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

/**
 * The database of a command that does its work without one: as it is, neither started nor migrated.
 */
public final class CommandDatabase {

  private static final String NO_TABLE = "42P01";

  private CommandDatabase() {}

  /**
   * Returns connections of the service's role; empty if the database is the embedded one, which may
   * not run. Bounded: a connection takes at most 5 s, an answer 10 s.
   *
   * @throws StartRefusedException if the settings do not say how to connect
   */
  public static Optional<DataSource> of(DatabaseProperties properties) {
    if (properties.isEmbedded()) {
      return Optional.empty();
    }
    DatabaseAccess access = DatabaseConfiguration.external(properties).access();
    DriverManagerDataSource connections =
        new DriverManagerDataSource(access.url(), access.username(), access.password());
    Properties bounds = new Properties();
    bounds.setProperty("loginTimeout", "5");
    bounds.setProperty("socketTimeout", "10");
    bounds.setProperty("ApplicationName", "keywell command");
    connections.setConnectionProperties(bounds);
    return Optional.of(connections);
  }

  /** Whether the database failed because nothing was ever migrated there. */
  public static boolean hasNoSchema(DatabaseException failure) {
    return failure.getCause() instanceof SQLException sql && NO_TABLE.equals(sql.getSQLState());
  }
}
