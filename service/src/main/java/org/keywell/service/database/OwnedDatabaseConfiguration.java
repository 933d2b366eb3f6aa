package org.keywell.service.database;

import java.io.IOException;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.keywell.service.KeywellProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** The database of a service, which owns its data directory and its instance's name. */
@Configuration(proxyBeanMethods = false)
@Import(DatabaseConfiguration.class)
public class OwnedDatabaseConfiguration {

  @Bean(destroyMethod = "close")
  DatabaseServer databaseServer(KeywellProperties properties) throws IOException {
    return properties.database().isEmbedded()
        ? DatabaseServer.embedded(properties.home())
        : DatabaseServer.external(DatabaseConfiguration.external(properties.database()));
  }

  @Bean(destroyMethod = "close")
  InstanceLock instanceLock(DataSource dataSource, KeywellProperties properties)
      throws SQLException {
    return InstanceLock.acquire(dataSource, properties.instance());
  }
}
