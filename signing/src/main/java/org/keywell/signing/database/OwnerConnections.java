package org.keywell.signing.database;

import com.zaxxer.hikari.HikariDataSource;

/** Connections for commands that the owner of the tables runs. */
public final class OwnerConnections {

  private static final int CONNECTIONS = 2;

  private OwnerConnections() {}

  /** Returns connections of the owner, or of the service's role if no owner is known. */
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
    return connections;
  }
}
