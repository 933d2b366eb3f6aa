package org.keywell.bench.cli;

import java.util.function.Supplier;
import org.keywell.bench.parts.SuiteParts;
import org.keywell.loadgen.cli.KeywellProgram;
import org.keywell.loadgen.service.ServiceProgram;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The program's entry point and its top command. */
@Command(
    name = "keywell",
    description = "Measures the service and its parts on this machine.",
    synopsisSubcommandLabel = "COMMAND")
public final class BenchProgram implements Runnable {

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      scope = CommandLine.ScopeType.INHERIT,
      description = "Show this and exit.")
  private boolean unusedHelp; // picocli acts on it itself

  @Spec private CommandSpec spec = CommandSpec.create(); // picocli sets its own

  private BenchProgram() {}

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "a command is missing");
  }

  /** Returns the program, ready to execute. */
  static CommandLine commandLine() {
    return commandLine(() -> ServiceProgram.of(System.getenv()));
  }

  /**
   * Returns the program with another way to start services than the launcher's.
   *
   * @param service throws an {@link IllegalArgumentException} if there is none
   */
  static CommandLine commandLine(Supplier<ServiceProgram> service) {
    return commandLine(service, SuiteParts::of);
  }

  /** Like {@link #commandLine(Supplier)}, with other parts of the suite. */
  static CommandLine commandLine(Supplier<ServiceProgram> service, BenchCommand.Parts parts) {
    return KeywellProgram.of(
        new BenchProgram(), new BenchCommand(service, parts), new TablesCommand());
  }

  static void main(String[] args) {
    System.exit(KeywellProgram.run(commandLine(), args));
  }
}
