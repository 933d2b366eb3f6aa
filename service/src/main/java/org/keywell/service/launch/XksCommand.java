package org.keywell.service.launch;

import com.zaxxer.hikari.HikariDataSource;
import java.time.LocalDate;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.keywell.service.xks.KeyCommands;
import org.keywell.settings.KeywellProperties;
import org.keywell.settings.StartRefusedException;
import org.keywell.signing.database.DatabaseServer;
import org.keywell.signing.database.OwnerConnections;
import org.keywell.signing.log.CommandLog;
import org.keywell.xks.store.KeyUsage;
import org.keywell.xks.store.XksKeys;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The keys of the external key store. May run alongside a service. */
@Command(name = "xks")
final class XksCommand {

  private static final String NAME = "NAME";
  private static final String USAGE = "--usage";

  @Command(name = "create-key")
  void create(
      @Option(names = Commands.DEVICE, split = ",") @Nullable List<String> devices,
      @Option(names = USAGE, defaultValue = "encrypt,decrypt") String usage,
      @Parameters(paramLabel = NAME) String name) {
    List<String> named = devices == null ? List.of() : devices;
    change("xks create-key", name, keys -> keys.create(name, usage(usage), named));
  }

  @Command
  void check(@Parameters(paramLabel = NAME) String name) {
    change("xks check", name, keys -> keys.check(name));
  }

  @Command
  void enable(@Parameters(paramLabel = NAME) String name) {
    change("xks enable", name, keys -> keys.enable(name));
  }

  @Command
  void disable(@Parameters(paramLabel = NAME) String name) {
    change("xks disable", name, keys -> keys.disable(name));
  }

  @Command
  void restrict(
      @Option(names = USAGE, required = true) String usage,
      @Parameters(paramLabel = NAME) String name) {
    KeyUsage wanted = usage(usage);
    change("xks restrict", List.of(name, wanted.label()), keys -> keys.restrict(name, wanted));
  }

  @Command
  void destroy(@Parameters(paramLabel = NAME) String name) {
    change("xks destroy", name, keys -> keys.destroy(name));
  }

  /** As the owner of the tables. The log has how many, and not whose. */
  @Command
  void erase(
      @Option(names = "--before") @Nullable LocalDate before,
      @Parameters(paramLabel = "PRINCIPAL", arity = "0..1") @Nullable String principal) {
    if ((before == null) == (principal == null)) {
      throw new StartRefusedException("xks erase needs either PRINCIPAL or --before DAY");
    }
    with(parts -> {
      try (HikariDataSource owner = OwnerConnections.of(parts.getBean(DatabaseServer.class))) {
        int uses =
            principal == null
                ? XksKeys.erase(owner, Objects.requireNonNull(before))
                : XksKeys.erase(owner, principal);
        tell(parts, "xks erase", List.of(uses + " uses"));
        return "what clients said is erased of %d uses".formatted(uses);
      }
    });
  }

  @Command
  void list() {
    with(parts -> String.join(System.lineSeparator(), commands(parts).list()));
  }

  private static KeyUsage usage(String label) {
    try {
      return KeyUsage.ofLabel(label);
    } catch (IllegalArgumentException e) {
      throw new StartRefusedException(USAGE + ": " + e.getMessage(), e);
    }
  }

  private static void change(String command, String name, Function<KeyCommands, String> work) {
    change(command, List.of(name), work);
  }

  /**
   * Changes a key.
   *
   * @param made for the log: the key's name, and what the command does not say
   */
  private static void change(
      String command, List<String> made, Function<KeyCommands, String> work) {
    with(parts -> {
      String done = work.apply(commands(parts));
      tell(parts, command, made);
      return done;
    });
  }

  private static void tell(
      ConfigurableApplicationContext parts, String command, List<String> made) {
    KeywellProperties properties = parts.getBean(KeywellProperties.class);
    if (properties.log().isKept()) {
      ToldLog.report(
          CommandLog.tell(parts.getBean(DataSource.class), properties, "command", command, made));
    }
  }

  private static KeyCommands commands(ConfigurableApplicationContext parts) {
    KeywellProperties properties = parts.getBean(KeywellProperties.class);
    return new KeyCommands(
        new XksKeys(parts.getBean(DataSource.class), properties.instance()), properties.hsm());
  }

  private static void with(Function<ConfigurableApplicationContext, String> work) {
    try (ConfigurableApplicationContext parts =
        StoppableStart.run(
            new SpringApplicationBuilder(DatabaseCommand.Migrated.class)
                .web(WebApplicationType.NONE),
            "--logging.level.root=WARN")) {
      System.out.println(work.apply(parts));
    }
  }
}
