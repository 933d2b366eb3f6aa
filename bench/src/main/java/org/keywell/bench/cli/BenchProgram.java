package org.keywell.bench.cli;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
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
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {BenchCommand.class, TablesCommand.class})
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
    return commandLine(() -> ServiceProgram.of(System.getenv()));
  }

  /**
   * The program, where services are to be started in another way than the launcher's.
   *
   * @param service throws an {@link IllegalArgumentException} if there is none
   */
  static CommandLine commandLine(Supplier<ServiceProgram> service) {
    return KeywellProgram.of(
        new BenchProgram(),
        new CommandLine.IFactory() {
          @Override
          public <K> K create(Class<K> type) throws Exception {
            return type == BenchCommand.class
                ? type.cast(new BenchCommand(service))
                : CommandLine.defaultFactory().create(type);
          }
        });
  }

  static void main(String[] args) {
    System.exit(KeywellProgram.run(commandLine(), args));
  }
}
