package org.keywell.signing.database;

import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.keywell.settings.StartRefusedException;

/** Connections for commands that the owner of the tables runs. */
public final class OwnerConnections {

  private static final int CONNECTIONS = 2;

  private static final String OWNS =
      "SELECT pg_has_role(relowner, 'USAGE') FROM pg_class WHERE oid = 'sign_request'::regclass";

  private OwnerConnections() {}

  /**
   * Returns connections of the owner, or of the service's role if no owner is known.
   *
   * @throws StartRefusedException if that role does not own the tables
   */
  public static HikariDataSource of(DatabaseServer server) {
    DatabaseAccess access = server.owner().orElseGet(server::access);
    HikariDataSource connections = new HikariDataSource();
    connections.setPoolName("keywell-owner");
    connections.setJdbcUrl(access.url());
    connections.setUsername(access.username());
    connections.setPassword(access.password());
    connections.setMaximumPoolSize(CONNECTIONS);
    connections.addDataSourceProperty("tcpKeepAlive", "true");
    // Error details quote rows: names of citizens.
    connections.addDataSourceProperty("logServerErrorDetail", "false");
    connections.addDataSourceProperty("ApplicationName", "keywell owner");
    if (server.owner().isEmpty() && !owns(connections)) {
      connections.close();
      throw new StartRefusedException(
          "the role %s does not own the tables of the database %s; set keywell.database.owner.username"
              .formatted(access.username(), access));
    }
    return connections;
  }

  private static boolean owns(HikariDataSource connections) {
    try (Connection connection = connections.getConnection();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(OWNS)) {
      return row.next() && row.getBoolean(1);
    } catch (SQLException e) {
      connections.close();
      throw new DatabaseException("cannot ask who owns the tables", e);
    }
  }
}
