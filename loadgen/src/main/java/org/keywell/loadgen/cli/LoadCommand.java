package org.keywell.loadgen.cli;

import java.util.function.Supplier;
import org.keywell.loadgen.service.ServiceProgram;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The program's entry point and top-level command. */
@Command(
    name = "keywell load",
    description = "Drives a Keywell service and reports the results.",
    synopsisSubcommandLabel = "COMMAND")
public final class LoadCommand implements Runnable {

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      scope = CommandLine.ScopeType.INHERIT,
      description = "Show this help and exit.")
  private boolean unusedHelp; // picocli acts on it

  @Spec private CommandSpec spec = CommandSpec.create(); // picocli sets its own

  LoadCommand() {}

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "a command is missing");
  }

  /** Returns the program, ready to execute; its exit codes are those of {@link ExitCodes}. */
  public static CommandLine commandLine() {
    return commandLine(() -> ServiceProgram.of(System.getenv()));
  }

  /**
   * Returns the program, for services that are started otherwise than by the launcher.
   *
   * @param service throws an {@link IllegalArgumentException} if there is none
   */
  public static CommandLine commandLine(Supplier<ServiceProgram> service) {
    return KeywellProgram.of(
        new LoadCommand(),
        new RampCommand(),
        new CompareCommand(service),
        new OverloadCommand(service),
        new TlsCommand(service),
        new SpeedCommand(service),
        new StorageCommand(service),
        new MessagesCommand(service),
        new BrokerCommand(),
        new ShowCommand(),
        new DriveNullCommand());
  }

  static void main(String[] args) {
    System.exit(KeywellProgram.run(commandLine(), args));
  }
}
