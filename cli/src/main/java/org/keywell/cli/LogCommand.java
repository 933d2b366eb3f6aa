package org.keywell.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The transparency log of a service. */
@Command(
    name = "log",
    description = "Verifies, shows or copies the transparency log of a service.",
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {LogVerifyCommand.class, LogShowCommand.class, LogExportCommand.class})
final class LogCommand implements Runnable {

  @Spec private CommandSpec spec = CommandSpec.create(); // picocli sets its own

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "log needs verify, show or export");
  }
}
