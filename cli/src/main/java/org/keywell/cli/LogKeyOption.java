package org.keywell.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.keywell.cli.log.LogCopy;
import org.keywell.cli.log.LogKeys;
import org.keywell.tlog.LogFormatException;
import picocli.CommandLine.Option;

/** The option for the keys that a log's checkpoints must be signed with. */
final class LogKeyOption {

  @Option(
      names = "--log-key",
      paramLabel = "FILE|KEY",
      description =
          "The log's verifier key, or a file with one per line. Default: the key that comes with"
              + " the log, which proves nothing about who runs it.")
  private @Nullable String given;

  boolean isGiven() {
    return given != null;
  }

  /**
   * Returns the keys given, or those of the log, with a note on what they are worth.
   *
   * @param notes where to write the note
   * @throws CommandFailedException if what is given is no key, or the log has none
   */
  LogKeys keys(LogCopy log, PrintWriter notes) throws IOException, CommandFailedException {
    if (given != null) {
      return keysGiven(given);
    }
    LogKeys keys =
        LogKeys.parse(
            log.file(LogCopy.KEY)
                .orElseThrow(() ->
                    new CommandFailedException(
                        log.place() + " has no log, or none with a key (--log-key)")));
    notes.print(
        """
        Log key, trusted on first use: compare it with one from another channel, or pass it as --log-key
        %s\
        """
            .formatted(keys.text().indent(2)));
    notes.flush();
    return keys;
  }

  private static LogKeys keysGiven(String given) throws IOException, CommandFailedException {
    try {
      return LogKeys.parse(isFile(given) ? Files.readString(Path.of(given)) : given);
    } catch (LogFormatException e) {
      throw CommandFailedException.unusable("--log-key: " + e.getMessage(), e);
    }
  }

  private static boolean isFile(String given) {
    try {
      return Files.isRegularFile(Path.of(given));
    } catch (InvalidPathException e) {
      return false;
    }
  }
}
