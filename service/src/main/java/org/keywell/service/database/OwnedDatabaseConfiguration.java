package org.keywell.service.database;

import com.zaxxer.hikari.HikariDataSource;
import java.io.IOException;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.keywell.service.settings.DatabaseProperties;
import org.keywell.service.settings.KeywellProperties;
import org.keywell.service.start.NotThereYetException;
import org.keywell.service.start.StartPatience;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/**
 * The database of a service, which owns its data directory and its instance's name. The record
 * writer and the reads of records have connections of their own, so that however many ask, no
 * record waits and no key is left unloaded.
 */
@Configuration(proxyBeanMethods = false)
@Import(DatabaseConfiguration.class)
public class OwnedDatabaseConfiguration {

  /** The name of the data source to which records are written, by one thread. */
  public static final String RECORDS = "recordDataSource";

  /** The name of the data source from which records are read for callers. */
  public static final String READS = "readDataSource";

  @Bean(destroyMethod = "close")
  DatabaseServer databaseServer(KeywellProperties properties) throws IOException {
    return properties.database().isEmbedded()
        ? EmbeddedServers.included().own(properties.home())
        : DatabaseConfiguration.external(properties.database());
  }

  @Bean(name = RECORDS, destroyMethod = "close")
  HikariDataSource recordDataSource(
      DatabaseServer server, KeywellProperties properties, TimelineGuard guard) {
    HikariDataSource records =
        DatabaseConfiguration.connections(
            "keywell-records",
            DatabaseProperties.RECORD_CONNECTIONS,
            server.access(),
            properties,
            guard);
    // A database that is away is noticed within seconds, and one that is back within one.
    records.addDataSourceProperty("socketTimeout", "5");
    records.addDataSourceProperty("loginTimeout", "2");
    records.setConnectionTimeout(1_000);
    records.setValidationTimeout(1_000);
    // Made when it is asked for: what the pool tries by itself, it tries less and less often.
    records.setMinimumIdle(0);
    records.setIdleTimeout(0);
    return records;
  }

  @Bean(name = READS, destroyMethod = "close")
  HikariDataSource readDataSource(
      DatabaseServer server, KeywellProperties properties, TimelineGuard guard) {
    return DatabaseConfiguration.connections(
        "keywell-reads",
        properties.database().readConnections(),
        server.access(),
        properties,
        guard);
  }

  @Bean(destroyMethod = "close")
  InstanceLock instanceLock(
      DataSource dataSource, KeywellProperties properties, StartPatience patience) {
    return patience.untilThere(() -> acquire(dataSource, properties.instance()));
  }

  private static InstanceLock acquire(DataSource dataSource, String instance) {
    try {
      return InstanceLock.acquire(dataSource, instance);
    } catch (SQLException e) {
      throw new NotThereYetException("the instance's lock cannot be taken", e);
    }
  }

  @Bean
  VanishedInstances vanishedInstances(DataSource dataSource, KeywellProperties properties) {
    return new VanishedInstances(dataSource, properties.instance());
  }
}
