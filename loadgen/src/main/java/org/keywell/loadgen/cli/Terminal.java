package org.keywell.loadgen.cli;

import java.io.Console;

/** Whether somebody looks at the output while it is written. */
public final class Terminal {

  private Terminal() {}

  @SuppressWarnings("SystemConsoleNull") // a runtime without the console's module gives null
  public static boolean isPresent() {
    Console console = System.console();
    return console != null && console.isTerminal();
  }
}
