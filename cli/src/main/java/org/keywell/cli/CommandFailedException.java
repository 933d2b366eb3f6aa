package org.keywell.cli;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ExitCode;

/** A command failed; the message is a complete explanation for its user. */
final class CommandFailedException extends Exception {
  private static final long serialVersionUID = 1L;

  private final int exitCode;

  CommandFailedException(String message) {
    this(message, null);
  }

  CommandFailedException(String message, @Nullable Throwable cause) {
    this(message, cause, ExitCode.SOFTWARE);
  }

  private CommandFailedException(String message, @Nullable Throwable cause, int exitCode) {
    super(message, cause);
    this.exitCode = exitCode;
  }

  /** Creates one for unusable input; nothing was done. */
  static CommandFailedException unusable(String message, @Nullable Throwable cause) {
    return new CommandFailedException(message, cause, ExitCode.USAGE);
  }

  int exitCode() {
    return exitCode;
  }
}
