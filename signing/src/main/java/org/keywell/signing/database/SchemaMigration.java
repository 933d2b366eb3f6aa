package org.keywell.signing.database;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;
import java.util.Properties;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;
import org.flywaydb.core.api.MigrationState;
import org.keywell.settings.StartRefusedException;
import org.keywell.signing.start.NotThereYetException;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

/**
 * Brings the schema up to date: as its owner, which then grants the service's role what it needs;
 * or, where no owner is known, as the service's role, which needs no more than to read if nothing
 * is to be done.
 */
public final class SchemaMigration {

  private static final String NO_PRIVILEGE = "42501";

  private final DatabaseServer server;
  private final DataSource service;
  private final boolean serials;

  /**
   * @param service hands out connections of the service's role
   * @param serials whether certificates are looked up by their serial numbers
   */
  SchemaMigration(DatabaseServer server, DataSource service, boolean serials) {
    this.server = server;
    this.service = service;
    this.serials = serials;
  }

  /**
   * Migrates, if there is something to do, and makes sure that the service's role can connect.
   *
   * @throws NotThereYetException if the database cannot be reached yet
   * @throws StartRefusedException if it cannot be used
   */
  void run() {
    try {
      server.prepare();
      Optional<DatabaseAccess> owner = server.owner();
      if (owner.isPresent()) {
        migrateAs(owner.get());
        service.getConnection().close();
      } else {
        boolean _ = migrate(service);
        if (serials) {
          index(service);
        }
      }
    } catch (FlywayException | SQLException e) {
      throw failure(server.access(), e);
    }
  }

  /** Migrates a database that has no roles of its own. */
  public static void run(DatabaseAccess owner) {
    DataSource connections = connections(owner);
    try {
      if (migrate(connections)) {
        try (Connection connection = connections.getConnection()) {
          RecordMonths.addMissing(connection);
        }
      }
    } catch (FlywayException | SQLException e) {
      throw failure(owner, e);
    }
  }

  private void migrateAs(DatabaseAccess owner) throws SQLException {
    DataSource connections = connections(owner);
    boolean isLatest = migrate(connections);
    // A later version has its own list of grants.
    if (isLatest) {
      try (Connection connection = connections.getConnection()) {
        new DatabaseRoles(owner.username(), server.access().username(), DatabaseRoles.REPORTS)
            .grant(connection);
        RecordMonths.addMissing(connection);
      }
    }
    if (serials) {
      index(connections);
    }
  }

  private static void index(DataSource connections) throws SQLException {
    try (Connection connection = connections.getConnection()) {
      SerialIndex.ensure(connection);
    }
  }

  /** Returns whether the schema is this version's, and not that of a later one. */
  private static boolean migrate(DataSource dataSource) {
    Flyway flyway =
        Flyway.configure().dataSource(dataSource).locations("classpath:db/migrations").load();
    flyway.migrate();
    return Stream.of(flyway.info().applied())
        .noneMatch(migration -> migration.getState() == MigrationState.FUTURE_SUCCESS);
  }

  private static DataSource connections(DatabaseAccess access) {
    DriverManagerDataSource connections =
        new DriverManagerDataSource(access.url(), access.username(), access.password());
    Properties properties = new Properties();
    properties.setProperty("loginTimeout", "5");
    properties.setProperty("tcpKeepAlive", "true");
    properties.setProperty("ApplicationName", "keywell migration");
    connections.setConnectionProperties(properties);
    return connections;
  }

  private static RuntimeException failure(DatabaseAccess access, Exception e) {
    String reason = MissingDatabase.reason(e);
    if (MissingDatabase.isNotThereYet(e)) {
      return new NotThereYetException(
          "the database %s cannot be reached: %s".formatted(access, reason), e);
    }
    if (isNotAllowed(e)) {
      return new StartRefusedException(
          ("the role %s may not migrate the database %s (%s): run the command migrate once, as the"
                  + " owner of its tables (keywell.database.owner.username)")
              .formatted(access.username(), access, reason),
          e);
    }
    return new StartRefusedException(
        "the database %s cannot be used: %s".formatted(access, reason), e);
  }

  private static boolean isNotAllowed(Throwable failure) {
    for (Throwable t = failure; t != null; t = t.getCause()) {
      if (t instanceof SQLException sql && NO_PRIVILEGE.equals(sql.getSQLState())) {
        return true;
      }
    }
    return false;
  }
}
