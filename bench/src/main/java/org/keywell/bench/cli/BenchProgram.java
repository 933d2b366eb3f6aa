package org.keywell.bench.cli;

import org.jspecify.annotations.Nullable;
import org.keywell.loadgen.cli.KeywellProgram;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The program's entry point and its top command. */
@Command(
    name = "keywell",
    description = "Measures the service's own parts on this machine.",
    synopsisSubcommandLabel = "COMMAND",
    subcommands = TablesCommand.class)
public final class BenchProgram implements Runnable {

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      scope = CommandLine.ScopeType.INHERIT,
      description = "Show this and exit.")
  private boolean unusedHelp; // picocli acts on it itself

  @Spec private @Nullable CommandSpec spec;

  private BenchProgram() {}

  @Override
  public void run() {
    if (spec == null) {
      throw new IllegalStateException("only picocli runs this command");
    }
    throw new ParameterException(spec.commandLine(), "a command is missing");
  }

  /** The program, ready to execute. */
  static CommandLine commandLine() {
    return KeywellProgram.of(new BenchProgram(), CommandLine.defaultFactory());
  }

  static void main(String[] args) {
    System.exit(KeywellProgram.run(commandLine(), args));
  }
}
