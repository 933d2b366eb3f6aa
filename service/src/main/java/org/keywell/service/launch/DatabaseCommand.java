package org.keywell.service.launch;

import java.util.List;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.keywell.settings.KeywellProperties;
import org.keywell.signing.database.DatabaseRoles;
import org.keywell.signing.database.RoleCreation;
import org.keywell.signing.database.VisitedDatabaseConfiguration;
import org.keywell.signing.log.CommandLog;
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
    with(
        Migrated.class,
        parts -> {
          System.out.println("the schema is up to date");
          KeywellProperties properties = parts.getBean(KeywellProperties.class);
          if (properties.log().isKept()) {
            ToldLog.report(
                CommandLog.tell(
                    parts.getBean(DataSource.class),
                    properties,
                    "command",
                    "migrate",
                    List.of("schema")));
          }
        });
  }

  static void apply(DatabaseRoles roles) {
    with(
        Settings.class,
        parts -> {
          RoleCreation.run(roles, parts.getBean(KeywellProperties.class).database());
          System.out.printf(
              "roles and grants are in place: %s, %s, %s%n",
              roles.owner(), roles.service(), roles.reports());
          ToldLog.of(parts)
              .tell(
                  "command",
                  "database-roles",
                  List.of(roles.owner(), roles.service(), roles.reports()));
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
