package org.keywell.loadgen.cli;

import java.io.PrintWriter;
import java.io.StringWriter;
import picocli.CommandLine;

/** The whole program, with what it printed. */
final class Program {
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  int run(String... arguments) {
    CommandLine program = LoadCommand.commandLine();
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
