package org.keywell.signing.database;

import java.io.IOException;
import org.keywell.settings.KeywellProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** The database of a command that may run alongside a service. */
@Configuration(proxyBeanMethods = false)
@Import(DatabaseConfiguration.class)
public class VisitedDatabaseConfiguration {

  @Bean(destroyMethod = "close")
  DatabaseServer databaseServer(KeywellProperties properties) throws IOException {
    return properties.database().isEmbedded()
        ? EmbeddedServers.included().ownOrVisit(properties.home())
        : DatabaseConfiguration.external(properties.database());
  }
}
