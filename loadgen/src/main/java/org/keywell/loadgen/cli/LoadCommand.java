package org.keywell.loadgen.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.keywell.client.options.Misuse;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The program's entry point and its top command. */
@Command(
    name = "keywell load",
    description =
        "Drives a running Keywell service, measures its parts, plans how many HSMs a load takes, and"
            + " reports what came of it.",
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {
      RampCommand.class,
      CompareCommand.class,
      OverloadCommand.class,
      TablesCommand.class,
      ShowCommand.class,
      PlanCommand.class,
      DriveNullCommand.class
    })
public final class LoadCommand implements Runnable {

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      scope = CommandLine.ScopeType.INHERIT,
      description = "Show this and exit.")
  private boolean unusedHelp; // picocli acts on it itself

  @Spec private @Nullable CommandSpec spec;

  LoadCommand() {}

  @Override
  public void run() {
    if (spec == null) {
      throw new IllegalStateException("only picocli runs this command");
    }
    throw new ParameterException(spec.commandLine(), "a command is missing");
  }

  /** The program, ready to execute; its exit codes are those of {@link ExitCodes}. */
  public static CommandLine commandLine() {
    return new CommandLine(new LoadCommand())
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setParameterExceptionHandler((e, _) -> misused(e.getCommandLine(), Misuse.explain(e)))
        .setExecutionExceptionHandler((e, commandLine, _) -> failed(e, commandLine));
  }

  private static int misused(CommandLine commandLine, @Nullable String mistake) {
    tell(commandLine.getErr(), mistake + " (--help explains)");
    return ExitCodes.MISUSED;
  }

  private static int failed(Exception e, CommandLine commandLine) {
    return switch (e) {
      case MisuseException _ -> misused(commandLine, e.getMessage());
      case IOException _ when e.getMessage() != null -> {
        tell(commandLine.getErr(), e.getMessage());
        yield ExitCodes.FAILED;
      }
      default -> {
        tell(commandLine.getErr(), e.toString());
        yield ExitCodes.FAILED;
      }
    };
  }

  private static void tell(PrintWriter err, @Nullable String message) {
    err.println("keywell: " + String.valueOf(message).replaceAll("\\s*\\R\\s*", "; "));
    err.flush();
  }

  static void main(String[] args) {
    // Numbers look the same in every country: reports are compared.
    Locale.setDefault(Locale.ROOT);
    System.exit(commandLine().execute(args));
  }
}
