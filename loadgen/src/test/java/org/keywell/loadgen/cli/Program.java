package org.keywell.loadgen.cli;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.keywell.loadgen.service.ServiceProgram;
import picocli.CommandLine;

/** The whole program, with what it printed. */
final class Program {
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  int run(String... arguments) {
    return run(LoadCommand.commandLine(), arguments);
  }

  /** Runs it where a service of its own can be started. */
  int run(ServiceProgram service, String... arguments) {
    return run(LoadCommand.commandLine(() -> service), arguments);
  }

  private int run(CommandLine program, String... arguments) {
    program.setOut(new PrintWriter(out, true));
    program.setErr(new PrintWriter(err, true));
    return program.execute(arguments);
  }

  String out() {
    return out.toString();
  }

  String err() {
    return err.toString();
  }
}
