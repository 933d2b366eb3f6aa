package org.keywell.cli;

import java.io.PrintWriter;
import java.util.Locale;
import org.keywell.cli.options.Misuse;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/** The program's entry point and its top-level command. */
@Command(
    name = "keywell-cli",
    description = "Talks to a running Keywell service.",
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {
      SignCommand.class,
      ExtendCommand.class,
      StatusCommand.class,
      WaitForKeysCommand.class,
      ChainCommand.class,
      LogCommand.class,
    })
public final class KeywellCommand implements Runnable {

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      scope = ScopeType.INHERIT,
      description = "Show this help and exit.")
  private boolean unusedHelp; // handled by picocli

  @Spec private CommandSpec spec;

  KeywellCommand() {
    // Replaced by picocli before any command runs; set here so that it is never null.
    spec = CommandSpec.create();
  }

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "a command is missing");
  }

  /** Returns the program, ready to execute; its exit codes are 0, 1 (failure) and 2 (misuse). */
  public static CommandLine commandLine() {
    return new CommandLine(new KeywellCommand())
        .setParameterExceptionHandler((e, _) -> misused(e))
        .setExecutionExceptionHandler((e, commandLine, _) -> failed(e, commandLine));
  }

  private static int misused(ParameterException e) {
    PrintWriter err = e.getCommandLine().getErr();
    err.println("keywell: " + Misuse.explain(e) + " (--help explains)");
    return ExitCode.USAGE;
  }

  private static int failed(Exception e, CommandLine commandLine) {
    commandLine.getErr().println("keywell: " + oneLine(Failures.explain(e)));
    return e instanceof CommandFailedException failure ? failure.exitCode() : ExitCode.SOFTWARE;
  }

  private static String oneLine(String message) {
    return message.replaceAll("\\s*\\R\\s*", "; ");
  }

  static void main(String[] args) {
    // Digits and letters' cases are everyone's: others read what is printed.
    Locale.setDefault(Locale.ROOT);
    // The commands report EU DSS's findings themselves; its log would clutter the output.
    System.setProperty("org.slf4j.simpleLogger.defaultLogLevel", "off");
    System.exit(commandLine().execute(args));
  }
}
