package org.keywell.testkit;

import com.zaxxer.hikari.HikariDataSource;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.flywaydb.core.Flyway;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.postgresql.PostgreSQLContainer;

/**
 * A real PostgreSQL for tests: a container if a container engine runs, else an embedded server. One
 * server serves a whole test run; each test class creates its own database.
 */
public final class PostgresForTests {

  /** Connection data of one empty, migrated database, for a superuser. */
  public record Database(String url, String username, String password) {

    /** Returns the database as the service connects to it; it needs the latest schema. */
    public Database asService() {
      return new Database(url, SERVICE, SERVICE);
    }

    /** Returns the database as the owner of its tables connects to it. */
    public Database asOwner() {
      return new Database(url, OWNER, OWNER);
    }

    /** Returns the database as reports connect to it. */
    public Database asReports() {
      return new Database(url, REPORTS, REPORTS);
    }

    /** Returns a connection; the caller closes it. */
    public Connection connect() throws SQLException {
      return DriverManager.getConnection(url, username, password);
    }

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

  private static final String OWNER = "keywell_owner";
  private static final String SERVICE = "keywell";
  private static final String REPORTS = "keywell_reports";

  private static final AtomicInteger databases = new AtomicInteger();

  private PostgresForTests() {}

  /** Creates a database with the schema of {@code db/migrations} and roles of {@code db/roles}. */
  public static Database newDatabase() {
    RealPart.POSTGRESQL.inUse();
    Database database = named("test_" + databases.incrementAndGet());
    administer(
        "CREATE DATABASE %s TEMPLATE %s OWNER %s"
            .formatted(name(database), name(Latest.TEMPLATE), OWNER));
    return database;
  }

  /**
   * Creates a database with an earlier schema.
   *
   * @param version the number of the last migration
   */
  public static Database newDatabase(String version) {
    RealPart.POSTGRESQL.inUse();
    Database database = named("test_" + databases.incrementAndGet());
    create(database, version);
    return database;
  }

  private static void create(Database database, String version) {
    administer("CREATE DATABASE " + name(database));
    migrate(database, version);
    createRoles(database);
  }

  /** Returns a copy of a database, as a dump would be; connections to it end. */
  public static Database copy(Database original) {
    Database copy = named("test_" + databases.incrementAndGet());
    copy(original, copy);
    return copy;
  }

  /** Puts a copy in the place of a database, whose connections end. */
  public static void restore(Database database, Database copy) {
    administer("DROP DATABASE " + name(database) + " WITH (FORCE)");
    copy(copy, database);
  }

  private static void copy(Database from, Database to) {
    // Services that lose their connections come back at once.
    administer("ALTER DATABASE " + name(from) + " ALLOW_CONNECTIONS false");
    administer(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '%s'"
            .formatted(name(from)));
    administer("CREATE DATABASE " + name(to) + " TEMPLATE " + name(from));
    administer("ALTER DATABASE " + name(from) + " ALLOW_CONNECTIONS true");
  }

  private static String name(Database database) {
    return database.url.replaceFirst("\\?.*", "").replaceFirst(".*/", "");
  }

  private static Database named(String name) {
    Database server = Server.INSTANCE;
    return new Database(
        server.url.replaceFirst("/[^/?]+(\\?|$)", "/" + name + "$1"),
        server.username,
        server.password);
  }

  private static void administer(String sql) {
    try (Connection connection = Server.INSTANCE.connect();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    } catch (SQLException e) {
      throw new IllegalStateException("cannot administer the databases of tests", e);
    }
  }

  /** Brings an earlier schema up to date, as the start of a service does. */
  public static void migrate(Database database) {
    migrate(database, "latest");
    createRoles(database);
  }

  /** The superuser's tables become the owner's. */
  private static void createRoles(Database database) {
    String roles = script("roles.sql") + script("grants.sql");
    try (Connection connection = database.connect();
        Statement statement = connection.createStatement()) {
      connection.setAutoCommit(false);
      statement.execute(roles);
      for (String role : List.of(OWNER, SERVICE, REPORTS)) {
        statement.execute("ALTER ROLE %s PASSWORD '%s'".formatted(role, role));
      }
      connection.commit();
    } catch (SQLException e) {
      throw new IllegalStateException("cannot create roles for a test", e);
    }
  }

  private static String script(String name) {
    try (InputStream in =
        Objects.requireNonNull(PostgresForTests.class.getResourceAsStream("/db/roles/" + name))) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8)
          .replace("${owner}", OWNER)
          .replace("${service}", SERVICE)
          .replace("${reports}", REPORTS);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void migrate(Database database, String version) {
    Flyway.configure()
        .dataSource(database.url, database.username, database.password)
        .locations("classpath:db/migrations")
        .target(version)
        .load()
        .migrate();
  }

  /** Copied for each test: migrations take longer than many a test. */
  private static final class Latest {
    static final Database TEMPLATE = named("test_template");

    static {
      create(TEMPLATE, "latest");
    }
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
            EmbeddedPostgres.builder()
                .setServerConfig("max_connections", "200")
                // Its processes may be killed, but the machine is not.
                .setServerConfig("fsync", "off")
                .start();
        return new Database(
            "jdbc:postgresql://127.0.0.1:" + server.getPort() + "/postgres", "postgres", "");
      } catch (IOException e) {
        throw new UncheckedIOException("the embedded PostgreSQL does not start", e);
      }
    }
  }
}
