package org.keywell.bench.rig;

import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.keywell.standalone.EmbeddedDatabase;

/**
 * What a service's database has written so far.
 *
 * @param stored size of all tables and indexes
 * @param logged write-ahead log
 * @param rows inserted or updated, as far as the server's statistics know
 */
public record DatabaseVolume(long stored, long logged, long rows) {

  private static final String READ =
      """
      SELECT pg_database_size(current_database()),
        pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::bigint,
        (SELECT sum(n_tup_ins + n_tup_upd)::bigint FROM pg_stat_user_tables)
      """;

  /** Reads that of the server in a data directory, as its superuser. */
  static DatabaseVolume of(Path home) throws IOException {
    try (EmbeddedDatabase server = server(home);
        Connection connection =
            DriverManager.getConnection(
                server.access().url(), server.access().username(), server.access().password());
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(READ)) {
      boolean _ = row.next();
      return new DatabaseVolume(row.getLong(1), row.getLong(2), row.getLong(3));
    } catch (SQLException e) {
      throw new IOException("the database's volume cannot be read: " + e.getMessage(), e);
    }
  }

  /** Returns the server that runs in a data directory. */
  static EmbeddedDatabase server(Path home) throws IOException {
    return EmbeddedDatabase.visit(home)
        .orElseThrow(() -> new IOException(home + ": no PostgreSQL runs in it"));
  }

  public DatabaseVolume since(DatabaseVolume before) {
    return new DatabaseVolume(stored - before.stored, logged - before.logged, rows - before.rows);
  }
}
