package org.keywell.bench.tables.measure;

import com.zaxxer.hikari.HikariDataSource;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.keywell.keypool.store.StoreException;

/**
 * A PostgreSQL of its own with the pool's schema, on loopback, behind a random password. It keeps
 * what it is told as safely as the service's does, and {@link #close} leaves nothing of it.
 */
final class ScratchDatabase implements AutoCloseable {
  private static final Duration STARTUP = Duration.ofSeconds(60);
  private static final int PASSWORD_BYTES = 16;
  private static final int MAX_CONNECTIONS = 10;

  private final Path folder;
  private final EmbeddedPostgres server;
  private final HikariDataSource dataSource;

  private ScratchDatabase(Path folder, EmbeddedPostgres server, HikariDataSource dataSource) {
    this.folder = folder;
    this.server = server;
    this.dataSource = dataSource;
  }

  /**
   * Starts a server.
   *
   * @param parent on the disk that is to be measured; a folder is made in it
   */
  static ScratchDatabase start(Path parent) throws IOException {
    // Temporary folders are for their owner alone.
    Path folder = Files.createTempDirectory(parent, "keywell-tables-");
    EmbeddedPostgres server = null;
    try {
      String password = randomPassword();
      Path passwordFile = Files.createTempFile(folder, "password", "");
      Files.writeString(passwordFile, password);
      server = startServer(folder, passwordFile, password);
      HikariDataSource dataSource = connect(server.getPort(), password);
      return new ScratchDatabase(folder, server, dataSource);
    } catch (IOException | RuntimeException e) {
      if (server != null) {
        server.close();
      }
      delete(folder);
      throw e;
    }
  }

  private static EmbeddedPostgres startServer(Path folder, Path passwordFile, String password)
      throws IOException {
    return EmbeddedPostgres.builder()
        .setDataDirectory(Files.createDirectory(folder.resolve("data")))
        .setCleanDataDirectory(false)
        .setOverrideWorkingDirectory(Files.createDirectory(folder.resolve("binaries")).toFile())
        .setPGStartupWait(STARTUP)
        // A hook of its own would stop it while an interrupted run still tidies up.
        .setRegisterShutdownHook(false)
        .setServerConfig("listen_addresses", "127.0.0.1")
        .setServerConfig("unix_socket_directories", "")
        .setServerConfig("fsync", "on")
        .setServerConfig("synchronous_commit", "on")
        .setServerConfig("full_page_writes", "on")
        .setConnectConfig("password", password)
        .setLocaleConfig("auth", "scram-sha-256")
        .setLocaleConfig("pwfile", passwordFile.toString())
        .start();
  }

  private static HikariDataSource connect(int port, String password) {
    HikariDataSource dataSource = new HikariDataSource();
    dataSource.setJdbcUrl("jdbc:postgresql://127.0.0.1:" + port + "/postgres");
    dataSource.setUsername("postgres");
    dataSource.setPassword(password);
    dataSource.setMaximumPoolSize(MAX_CONNECTIONS);
    // As the service has it: statements are prepared on the server from the first use on.
    dataSource.addDataSourceProperty("prepareThreshold", "1");
    try {
      Flyway.configure()
          .dataSource(dataSource)
          .locations("classpath:db/migrations")
          .load()
          .migrate();
    } catch (RuntimeException e) {
      dataSource.close();
      throw e;
    }
    return dataSource;
  }

  private static String randomPassword() {
    byte[] random = new byte[PASSWORD_BYTES];
    new SecureRandom().nextBytes(random);
    return HexFormat.of().formatHex(random);
  }

  DataSource dataSource() {
    return dataSource;
  }

  /** The server's version, and how it says that it keeps what it is told. */
  String describe() {
    return "PostgreSQL "
        + query("SHOW server_version")
        + ", fsync "
        + query("SHOW fsync")
        + ", synchronous_commit "
        + query("SHOW synchronous_commit");
  }

  /** How many keys it holds, stored or claimed. */
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

  /** Stops the server and deletes all that it wrote. */
  @Override
  public void close() throws IOException {
    dataSource.close();
    try {
      server.close();
    } finally {
      delete(folder);
    }
  }

  private static void delete(Path folder) throws IOException {
    List<Path> all;
    try (Stream<Path> found = Files.walk(folder)) {
      all = found.sorted(Comparator.reverseOrder()).toList();
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
    for (Path path : all) {
      Files.deleteIfExists(path);
    }
  }
}
