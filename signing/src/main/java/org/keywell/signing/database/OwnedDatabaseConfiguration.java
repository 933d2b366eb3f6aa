package org.keywell.signing.database;

import com.zaxxer.hikari.HikariDataSource;
import java.io.IOException;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.function.LongSupplier;
import javax.sql.DataSource;
import org.keywell.settings.DatabaseProperties;
import org.keywell.settings.KeywellProperties;
import org.keywell.signing.start.NotThereYetException;
import org.keywell.signing.start.StartPatience;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/**
 * The database of a service that owns its data directory and its instance's name. The record writer
 * and the reads of records have separate connections, so that no number of reads delays a record or
 * leaves a key unloaded.
 */
@Configuration(proxyBeanMethods = false)
@Import(DatabaseConfiguration.class)
public class OwnedDatabaseConfiguration {

  /** Name of the data source to which one thread writes records. */
  public static final String RECORDS = "recordDataSource";

  /** Name of the data source from which records are read for callers. */
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
    return records(server.access(), properties, guard);
  }

  /** Returns the record writer's connections; the caller closes them. */
  public static HikariDataSource records(
      DatabaseAccess access, KeywellProperties properties, TimelineGuard guard) {
    HikariDataSource records =
        DatabaseConfiguration.connections(
            "keywell-records", DatabaseProperties.RECORD_CONNECTIONS, access, properties, guard);
    // Its statements address one partition by a parameter. Planned for each value, each took half
    // as much again (docs/operations/retention.md).
    records.setConnectionInitSql(
        DatabaseConfiguration.SESSION + "; SET plan_cache_mode = force_generic_plan");
    // Notices a lost database within seconds, and its return within one.
    records.addDataSourceProperty("socketTimeout", "5");
    records.addDataSourceProperty("loginTimeout", "2");
    records.setConnectionTimeout(1_000);
    records.setValidationTimeout(1_000);
    // Opens connections on demand: the pool itself would try less and less often.
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

  @Bean
  ExcessPrivileges excessPrivileges(DataSource dataSource) {
    return new ExcessPrivileges(dataSource);
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

  /** Compared before anything is certified: the CA's own keys may be made by this start. */
  @Bean
  DatabaseClock databaseClock(
      InstanceLock lock,
      KeywellProperties properties,
      StartPatience patience,
      InstantSource clock,
      LongSupplier nanoClock) {
    DatabaseClock comparing =
        new DatabaseClock(properties.database().clockTolerance(), clock, nanoClock);
    return patience.untilThere(() -> {
      comparing.requireAgreement(lock);
      return comparing;
    });
  }

  @Bean
  RecordMonths recordMonths(DataSource dataSource) {
    return new RecordMonths(dataSource);
  }

  @Bean
  VanishedInstances vanishedInstances(DataSource dataSource, KeywellProperties properties) {
    return new VanishedInstances(dataSource, properties.instance());
  }
}
