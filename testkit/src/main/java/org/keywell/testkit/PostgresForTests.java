package org.keywell.testkit;

import com.zaxxer.hikari.HikariDataSource;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.atomic.AtomicInteger;
import org.flywaydb.core.Flyway;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.postgresql.PostgreSQLContainer;

/**
 * A real PostgreSQL for tests: a container if a container engine runs, else an embedded server. One
 * server serves a whole test run; each test class creates its own database.
 */
public final class PostgresForTests {

  /** Connection data of one empty, migrated database. */
  public record Database(String url, String username, String password) {

    /** Returns a connection pool for the database; the caller closes it. */
    public HikariDataSource dataSource() {
      HikariDataSource dataSource = new HikariDataSource();
      dataSource.setJdbcUrl(url);
      dataSource.setUsername(username);
      dataSource.setPassword(password);
      dataSource.setMaximumPoolSize(12);
      return dataSource;
    }
  }

  private static final AtomicInteger databases = new AtomicInteger();

  private PostgresForTests() {}

  /** Creates a database with the schema of {@code db/migrations}. */
  public static Database newDatabase() {
    return newDatabase("latest");
  }

  /**
   * Creates a database with an earlier schema.
   *
   * @param version the number of the last migration
   */
  public static Database newDatabase(String version) {
    RealPart.POSTGRESQL.inUse();
    Database server = Server.INSTANCE;
    String name = "test_" + databases.incrementAndGet();
    try (HikariDataSource admin = server.dataSource();
        Connection connection = admin.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE DATABASE " + name);
    } catch (SQLException e) {
      throw new IllegalStateException("cannot create a database for a test", e);
    }
    Database database =
        new Database(
            server.url.replaceFirst("/[^/?]+(\\?|$)", "/" + name + "$1"),
            server.username,
            server.password);
    migrate(database, version);
    return database;
  }

  /** Brings an earlier schema up to date, as the start of a service does. */
  public static void migrate(Database database) {
    migrate(database, "latest");
  }

  private static void migrate(Database database, String version) {
    Flyway.configure()
        .dataSource(database.url, database.username, database.password)
        .locations("classpath:db/migrations")
        .target(version)
        .load()
        .migrate();
  }

  private static final class Server {
    static final Database INSTANCE =
        DockerClientFactory.instance().isDockerAvailable() ? container() : embedded();

    private static Database container() {
      // Stopped by Testcontainers' own reaper when this process ends.
      @SuppressWarnings("resource")
      PostgreSQLContainer container = new PostgreSQLContainer("postgres:17");
      container.start();
      return new Database(container.getJdbcUrl(), container.getUsername(), container.getPassword());
    }

    private static Database embedded() {
      try {
        // Stopped by its own shutdown hook.
        @SuppressWarnings("resource")
        EmbeddedPostgres server =
            EmbeddedPostgres.builder().setServerConfig("max_connections", "200").start();
        return new Database(
            "jdbc:postgresql://127.0.0.1:" + server.getPort() + "/postgres", "postgres", "");
      } catch (IOException e) {
        throw new UncheckedIOException("the embedded PostgreSQL does not start", e);
      }
    }
  }
}
