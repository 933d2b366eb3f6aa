package org.keywell.service.launch;

import java.nio.file.Path;
import java.time.Duration;
import java.time.YearMonth;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.keywell.ca.ServerNames;
import org.keywell.ca.issuance.ServerCertificates;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.settings.StartRefusedException;
import org.keywell.signing.database.DatabaseRoles;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExecutionException;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.RunLast;
import picocli.CommandLine.TypeConversionException;

/** All commands except {@code serve}. The launcher's help pages explain them. */
@Command(
    name = "keywell",
    subcommands = {HsmCommand.class, XksCommand.class})
final class Commands {

  static final String DEVICE = "--device";

  private static final int MAX_COUNT = 10_000_000;

  /**
   * Runs a command.
   *
   * @param arguments the command's name first
   * @throws StartRefusedException if they are invalid
   */
  static void run(String... arguments) {
    try {
      new RunLast().execute(parse(arguments));
    } catch (ParameterException e) {
      throw refused(e);
    } catch (ExecutionException e) {
      switch (e.getCause()) {
        case Error error -> throw error;
        case RuntimeException failure -> throw failure;
        case null, default -> throw e;
      }
    }
  }

  static ParseResult parse(String... arguments) {
    CommandLine commands =
        new CommandLine(new Commands())
            .registerConverter(KeySpec.class, Commands::keySpec)
            .setExpandAtFiles(false);
    Map<String, CommandLine> known = commands.getSubcommands();
    if (!known.containsKey(arguments[0])) {
      throw new StartRefusedException(
          "unknown command '%s'; known: serve, %s"
              .formatted(arguments[0], String.join(", ", known.keySet())));
    }
    try {
      return commands.parseArgs(arguments);
    } catch (ParameterException e) {
      throw refused(e);
    }
  }

  private static StartRefusedException refused(ParameterException mistake) {
    CommandLine command = mistake.getCommandLine();
    Map<String, CommandLine> below = command.getSubcommands();
    return new StartRefusedException(
        "%s: %s%s"
            .formatted(
                command.getCommandName(),
                mistake.getMessage(),
                below.isEmpty() ? "" : "; known: " + String.join(", ", below.keySet())),
        mistake);
  }

  private static KeySpec keySpec(String label) {
    try {
      return KeySpec.ofLabel(label);
    } catch (IllegalArgumentException e) {
      throw new TypeConversionException(e.getMessage());
    }
  }

  @Command
  void bootstrap() {
    BootstrapCommand.run();
  }

  @Command
  void check() {
    CheckCommand.run();
  }

  @Command
  void migrate() {
    DatabaseCommand.migrate();
  }

  @Command
  void archive(
      @Option(names = "--before", required = true) YearMonth before,
      @Option(names = "--to", required = true) Path directory) {
    RecordsCommand.archive(before, directory);
  }

  @Command
  void erase(@Parameters(paramLabel = "REQUEST-ID") UUID requestId) {
    RecordsCommand.erase(requestId);
  }

  @Command(name = "log-reapply")
  void reapply(
      @Option(names = "--from", required = true) Path copy,
      @Option(names = "--log-key") @Nullable List<String> keys,
      @Option(names = "--apply") boolean apply) {
    ReapplyCommand.run(copy, keys == null ? List.of() : keys, apply);
  }

  @Command(name = "database-roles")
  void roles(
      @Option(names = "--owner", defaultValue = DatabaseRoles.OWNER) String owner,
      @Option(names = "--service", defaultValue = DatabaseRoles.SERVICE) String service,
      @Option(names = "--reports", defaultValue = DatabaseRoles.REPORTS) String reports,
      @Option(names = "--apply") boolean apply) {
    DatabaseRoles roles = new DatabaseRoles(owner, service, reports);
    if (apply) {
      DatabaseCommand.apply(roles);
    } else {
      System.out.print(roles.script());
    }
  }

  @Command
  void fill(
      @Parameters(paramLabel = "N") int count,
      @Option(names = "--key-spec", defaultValue = "RSA-2048") KeySpec keySpec) {
    if (count < 1 || count > MAX_COUNT) {
      throw new StartRefusedException("fill: " + count + " is not from 1 to " + MAX_COUNT);
    }
    FillCommand.run(new FillArguments(count, keySpec));
  }

  @Command(name = "rotate-wrapping-key")
  void rotate(
      @Option(names = DEVICE) @Nullable String device,
      @Option(names = "--now") boolean now,
      @Option(names = "--status") boolean status) {
    if (status && (now || device != null)) {
      throw new StartRefusedException("rotate-wrapping-key: --status takes no other option");
    }
    if (status) {
      RotateCommand.status();
    } else {
      RotateCommand.run(device, now);
    }
  }

  @Command(name = "renew-ca")
  void renew(
      @Option(names = DEVICE) @Nullable String device,
      @Option(names = "--root") boolean root,
      @Option(names = "--generation", required = true) int generation) {
    if (root && device != null) {
      throw new StartRefusedException("renew-ca: the root's device is the first; omit --device");
    }
    BootstrapCommand.renew(device, root, generation);
  }

  @Command(name = "ca-request")
  void request(
      @Option(names = DEVICE) @Nullable String device,
      @Option(names = "--new-key") boolean newKey,
      @Parameters(paramLabel = "FILE") Path file) {
    BootstrapCommand.request(device, newKey, file);
  }

  @Command(name = "ca-import")
  void importAnswer(
      @Option(names = DEVICE) @Nullable String device, @Parameters(paramLabel = "FILE") Path file) {
    BootstrapCommand.importAnswer(device, file);
  }

  @Command(name = "server-request")
  void serverRequest(
      @Option(names = "--host", required = true) List<String> hosts,
      @Option(names = "--wildcards") boolean wildcards,
      @Parameters(paramLabel = "FILE") Path file) {
    BootstrapCommand.requestServer(ServerNames.of(hosts, wildcards), file);
  }

  @Command(name = "server-certificate")
  void server(
      @Option(names = "--host", required = true) List<String> hosts,
      @Option(names = "--wildcards") boolean wildcards,
      @Option(names = "--days", defaultValue = "90") int days,
      @Parameters(paramLabel = "REQUEST") Path request,
      @Parameters(paramLabel = "FILE") Path file) {
    if (days < 1 || days > ServerCertificates.LONGEST.toDays()) {
      throw new StartRefusedException(
          "server-certificate: --days %d is not from 1 to %d"
              .formatted(days, ServerCertificates.LONGEST.toDays()));
    }
    ServerNames names = ServerNames.of(hosts, wildcards);
    BootstrapCommand.certifyServer(names, Duration.ofDays(days), request, file);
  }
}
