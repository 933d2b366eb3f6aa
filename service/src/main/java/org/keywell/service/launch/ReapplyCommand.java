package org.keywell.service.launch;

import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import javax.sql.DataSource;
import org.keywell.service.reapply.Reapply;
import org.keywell.settings.KeywellProperties;
import org.keywell.signing.log.CommandLog;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

/** The command {@code log-reapply}. May run alongside a service. */
final class ReapplyCommand {

  private ReapplyCommand() {}

  static void run(Path copy, List<String> keys, boolean apply) {
    try (ConfigurableApplicationContext parts =
        StoppableStart.run(
            new SpringApplicationBuilder(DatabaseCommand.Migrated.class)
                .web(WebApplicationType.NONE),
            "--logging.level.root=WARN")) {
      DataSource dataSource = parts.getBean(DataSource.class);
      KeywellProperties properties = parts.getBean(KeywellProperties.class);
      new Reapply(
              dataSource,
              properties.instance(),
              properties.hsm(),
              (command, made) ->
                  ToldLog.report(CommandLog.tell(dataSource, properties, "command", command, made)),
              Clock.systemUTC(),
              System.out)
          .run(copy, keys, apply);
    }
  }
}
