package org.keywell.signing.database;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The identity of the PostgreSQL primary behind a connection.
 *
 * @param systemId the same for a primary, its standbys and its file backups
 * @param timeline increases with each promotion of a standby and each recovery from an archive
 * @param address as the server knows it; empty if it is not reached by TCP
 */
record ServerIdentity(long systemId, long timeline, String address) {

  private static final Logger log = LoggerFactory.getLogger(ServerIdentity.class);

  // Not pg_control_checkpoint(), which has the timeline of the last checkpoint: for a while after a
  // promotion that is the previous one.
  private static final String QUERY =
      """
      SELECT CASE WHEN NOT pg_is_in_recovery() THEN pg_walfile_name(pg_current_wal_insert_lsn()) END,
        (SELECT system_identifier FROM pg_control_system()),
        concat_ws(':', host(inet_server_addr()), inet_server_port())
      """;

  /** The name of a WAL file starts with the timeline, in hexadecimal. */
  private static final int TIMELINE_DIGITS = 8;

  /**
   * Asks the server, in one round trip.
   *
   * @param fresh a connection that has not been used yet
   * @return empty if it is a standby, or does not tell this user
   * @throws SQLException if the connection fails
   */
  static Optional<ServerIdentity> of(Connection fresh) throws SQLException {
    try (Statement statement = fresh.createStatement();
        ResultSet row = statement.executeQuery(QUERY)) {
      row.next();
      String logFile = row.getString(1);
      return logFile == null
          ? Optional.empty()
          : Optional.of(
              new ServerIdentity(
                  row.getLong(2),
                  Long.parseLong(logFile.substring(0, TIMELINE_DIGITS), 16),
                  row.getString(3)));
    } catch (SQLException e) {
      if (MissingDatabase.isNotThereYet(e)) {
        throw e;
      }
      log.debug("the server does not tell its timeline, which is not watched: {}", e.getMessage());
      return Optional.empty();
    }
  }
}
