package org.keywell.bench.tables.measure;

import com.zaxxer.hikari.HikariDataSource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;
import org.keywell.bench.rig.FolderCopy;
import org.keywell.keypool.store.StoreException;
import org.keywell.signing.database.SchemaMigration;
import org.keywell.standalone.EmbeddedDatabase;

/**
 * A separate PostgreSQL with the pool's schema, on loopback, behind a random password. It is as
 * durable as the service's, and {@link #close} leaves nothing of it.
 */
final class ScratchDatabase implements AutoCloseable {
  private static final int MAX_CONNECTIONS = 10;

  private final Path folder;
  private final EmbeddedDatabase server;
  private final HikariDataSource dataSource;

  private ScratchDatabase(Path folder, EmbeddedDatabase server, HikariDataSource dataSource) {
    this.folder = folder;
    this.server = server;
    this.dataSource = dataSource;
  }

  /**
   * Starts a server.
   *
   * @param parent on the disk to be measured; a folder is created in it
   */
  static ScratchDatabase start(Path parent) throws IOException {
    // Only the owner can access temporary folders.
    Path folder = Files.createTempDirectory(parent, "keywell-tables-");
    try {
      EmbeddedDatabase server = EmbeddedDatabase.own(folder);
      try {
        return new ScratchDatabase(folder, server, connect(server));
      } catch (RuntimeException e) {
        server.close();
        throw e;
      }
    } catch (IOException | RuntimeException e) {
      FolderCopy.remove(folder);
      throw e;
    }
  }

  private static HikariDataSource connect(EmbeddedDatabase server) {
    SchemaMigration.run(server.access());
    HikariDataSource dataSource = new HikariDataSource();
    dataSource.setJdbcUrl(server.access().url());
    dataSource.setUsername(server.access().username());
    dataSource.setPassword(server.access().password());
    dataSource.setMaximumPoolSize(MAX_CONNECTIONS);
    // As in the service: statements are prepared on the server from the first use on.
    dataSource.addDataSourceProperty("prepareThreshold", "1");
    return dataSource;
  }

  DataSource dataSource() {
    return dataSource;
  }

  /** Returns the server's version and its durability settings. */
  String describe() {
    return "PostgreSQL "
        + query("SHOW server_version")
        + ", fsync "
        + query("SHOW fsync")
        + ", synchronous_commit "
        + query("SHOW synchronous_commit");
  }

  /** Returns how many keys it holds, stored or claimed. */
  long countKeys() {
    return Long.parseLong(
        query("SELECT (SELECT count(*) FROM pool_key) + (SELECT count(*) FROM claimed_key)"));
  }

  /** Deletes all keys, stored or claimed. */
  void forgetKeys() {
    try (Connection connection = dataSource.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute("TRUNCATE pool_key, claimed_key");
    } catch (SQLException e) {
      throw new StoreException("cannot empty the database: " + e.getMessage(), e);
    }
  }

  private String query(String sql) {
    try (Connection connection = dataSource.getConnection();
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      rows.next();
      return rows.getString(1);
    } catch (SQLException e) {
      throw new StoreException("cannot ask the database: " + e.getMessage(), e);
    }
  }

  /** Stops the server and deletes everything it wrote. */
  @Override
  public void close() throws IOException {
    dataSource.close();
    try {
      server.close();
    } finally {
      FolderCopy.remove(folder);
    }
  }
}
