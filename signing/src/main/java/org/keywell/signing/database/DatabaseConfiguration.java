package org.keywell.signing.database;

import com.zaxxer.hikari.HikariDataSource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.keywell.settings.DatabaseProperties;
import org.keywell.settings.KeywellProperties;
import org.keywell.settings.StartRefusedException;
import org.keywell.signing.start.StartPatience;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;

/** The data source, with a migrated schema. */
@Configuration(proxyBeanMethods = false)
public class DatabaseConfiguration {

  /**
   * A lost commit would bring a used key back. Only one other setting is stronger than "on":
   * "local" does not wait for a synchronous standby, "remote_write" not for its disk.
   *
   * <p>Whatever the statistics say, an index is used where there is one: a table that was empty
   * when autovacuum looked, such as that of a month's first minute, would be read whole by each
   * statement until it looks again. Where there is none, the planner takes a plan for so expensive
   * that it would compile it.
   */
  static final String SESSION =
      """
      SELECT set_config('synchronous_commit', 'on', false)
      WHERE current_setting('synchronous_commit') <> 'remote_apply';
      SET enable_seqscan = off; SET jit = off\
      """;

  private record ExternalServer(DatabaseAccess access, Optional<DatabaseAccess> owner)
      implements DatabaseServer {}

  @Bean
  TimelineGuard timelineGuard() {
    return new TimelineGuard();
  }

  @Bean(destroyMethod = "close")
  @Primary
  HikariDataSource dataSource(
      DatabaseServer server,
      KeywellProperties properties,
      TimelineGuard guard,
      StartPatience patience) {
    HikariDataSource dataSource =
        connections(
            "keywell",
            properties.database().otherConnections(),
            server.access(),
            properties,
            guard);
    try {
      SchemaMigration migration =
          new SchemaMigration(server, dataSource, properties.ca().ocsp().base().isPresent());
      return patience.untilThere(() -> {
        migration.run();
        return dataSource;
      });
    } catch (RuntimeException e) {
      dataSource.close();
      throw e;
    }
  }

  /** Returns further connections, which are made on first use; the caller closes them. */
  public static HikariDataSource connections(
      String name,
      int size,
      DatabaseAccess access,
      KeywellProperties properties,
      TimelineGuard guard) {
    HikariDataSource dataSource = new HikariDataSource();
    // Also covers properties added later.
    dataSource.setDataSource(
        new GuardedDataSource(access, dataSource.getDataSourceProperties(), guard));
    dataSource.setPoolName(name);
    dataSource.setJdbcUrl(access.url());
    dataSource.setUsername(access.username());
    dataSource.setPassword(access.password());
    dataSource.setMaximumPoolSize(size);
    dataSource.setConnectionTimeout(5_000);
    // If the server hangs, several connections can be found dead within one wait.
    dataSource.setValidationTimeout(1_000);
    // Statements of the signing path are prepared on the server from their first use.
    dataSource.addDataSourceProperty("prepareThreshold", "1");
    dataSource.setConnectionInitSql(SESSION);
    dataSource.setExceptionOverride(new ConnectionFaults(dataSource, System::nanoTime));
    // A hanging server or network ends a call; tcpKeepAlive detects a dead one when idle.
    dataSource.addDataSourceProperty("socketTimeout", "30");
    // Per pool: the driver has one default for all pools, set by the last one created.
    dataSource.addDataSourceProperty("loginTimeout", "5");
    dataSource.addDataSourceProperty("tcpKeepAlive", "true");
    // Error details quote rows: names of citizens, which do not belong in logs.
    dataSource.addDataSourceProperty("logServerErrorDetail", "false");
    dataSource.addDataSourceProperty("ApplicationName", "keywell " + properties.instance());
    return dataSource;
  }

  static DatabaseServer external(DatabaseProperties properties) {
    DatabaseAccess access =
        new DatabaseAccess(
            properties.url(),
            Optional.ofNullable(properties.username())
                .orElseThrow(
                    () -> new StartRefusedException("keywell.database.username is not set")),
            password("keywell.database", properties.passwordFile(), properties.password()));
    Optional<DatabaseAccess> owner =
        Optional.ofNullable(properties.owner()).map(given -> owner(properties.url(), given));
    return new ExternalServer(access, owner);
  }

  private static DatabaseAccess owner(String url, DatabaseProperties.Owner owner) {
    return new DatabaseAccess(
        url,
        owner.username(),
        password("keywell.database.owner", owner.passwordFile(), owner.password()));
  }

  private static String password(String section, @Nullable Path file, @Nullable String password) {
    if (file == null) {
      return password == null ? "" : password;
    }
    try {
      return Files.readString(file).strip();
    } catch (IOException e) {
      throw new StartRefusedException(section + ".password-file " + file + " is unreadable", e);
    }
  }
}
