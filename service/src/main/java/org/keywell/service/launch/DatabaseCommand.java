package org.keywell.service.launch;

import java.util.function.Consumer;
import org.keywell.settings.KeywellProperties;
import org.keywell.signing.database.DatabaseRoles;
import org.keywell.signing.database.RoleCreation;
import org.keywell.signing.database.VisitedDatabaseConfiguration;
import org.keywell.signing.start.StartConfiguration;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Import;

/** The commands that prepare the database: {@code migrate} and {@code database-roles --apply}. */
final class DatabaseCommand {

  private DatabaseCommand() {}

  /** Whose data source is a migrated database's. */
  @SpringBootConfiguration(proxyBeanMethods = false)
  @EnableConfigurationProperties(KeywellProperties.class)
  @Import({StartConfiguration.class, VisitedDatabaseConfiguration.class})
  static class Migrated {}

  @SpringBootConfiguration(proxyBeanMethods = false)
  @EnableConfigurationProperties(KeywellProperties.class)
  static class Settings {}

  static void migrate() {
    with(Migrated.class, parts -> System.out.println("the schema is up to date"));
  }

  static void apply(DatabaseRoles roles) {
    with(
        Settings.class,
        parts -> {
          RoleCreation.run(roles, parts.getBean(KeywellProperties.class).database());
          System.out.printf(
              "roles and grants are in place: %s, %s, %s%n",
              roles.owner(), roles.service(), roles.reports());
        });
  }

  private static void with(Class<?> parts, Consumer<ConfigurableApplicationContext> command) {
    try (ConfigurableApplicationContext context =
        StoppableStart.run(
            new SpringApplicationBuilder(parts).web(WebApplicationType.NONE),
            "--logging.level.root=WARN")) {
      command.accept(context);
    }
  }
}
