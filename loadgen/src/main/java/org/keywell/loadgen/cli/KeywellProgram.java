package org.keywell.loadgen.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.keywell.cli.options.Misuse;
import picocli.CommandLine;

/**
 * The common part of Keywell's measuring programs: a mistake or failure is reported in one line,
 * and exit codes are those of {@link ExitCodes}.
 */
public final class KeywellProgram {

  private KeywellProgram() {}

  /**
   * Returns the program of a top-level command, ready to execute.
   *
   * @param below its subcommands
   */
  public static CommandLine of(Object command, Object... below) {
    CommandLine program = new CommandLine(command);
    for (Object each : below) {
      program.addSubcommand(each);
    }
    return program
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setParameterExceptionHandler((e, _) -> misused(e.getCommandLine(), Misuse.explain(e)))
        .setExecutionExceptionHandler((e, commandLine, _) -> failed(e, commandLine));
  }

  /** Executes a program that has the process to itself; returns its exit code. */
  public static int run(CommandLine program, String... arguments) {
    // Numbers look the same in every country, since reports are compared.
    Locale.setDefault(Locale.ROOT);
    return program.execute(arguments);
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
      case InterruptedException _ -> {
        tell(commandLine.getErr(), "interrupted");
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
}
