package org.keywell.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.keywell.cli.log.LogCopy;
import org.keywell.cli.log.LogEntry;
import org.keywell.cli.log.SignatureStory;
import org.keywell.cli.options.ProgressLine;
import org.keywell.cli.options.ServerOptions;
import org.keywell.tlog.Checkpoint;
import org.keywell.tlog.LogFormatException;
import org.keywell.tlog.SignedNote;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import tools.jackson.databind.json.JsonMapper;

/** Tells the story of one signature from the log. */
@Command(
    name = "show",
    description = {
      "Shows everything that the log says about one signature: the moves of its key, how the"
          + " request ended, and the key's destruction if that came later.",
      "Reads and verifies the whole log."
    },
    sortOptions = false)
final class LogShowCommand implements Callable<Integer> {
  private static final JsonMapper JSON = JsonMapper.builder().build();

  @Spec private CommandSpec spec = CommandSpec.create(); // picocli sets its own

  @Mixin private final ServerOptions server = new ServerOptions();

  @Mixin private final LogKeyOption logKey = new LogKeyOption();

  @Parameters(index = "0", paramLabel = "REQUEST-ID", description = "The request's or act's id.")
  private UUID requestId = new UUID(0, 0);

  @Parameters(
      index = "1",
      arity = "0..1",
      paramLabel = "URL|DIRECTORY",
      description = "The address of a service, or the directory of an export; default: --url.")
  private @Nullable String place;

  @Option(names = "--json", description = "Print one JSON object, for scripts.")
  private boolean json;

  private record Story(UUID request, String log, long size, List<LogEntry> entries) {}

  @Override
  public Integer call() throws Exception {
    return LogWork.at(place, server, this::show);
  }

  private int show(LogCopy log) throws IOException, CommandFailedException {
    PrintWriter out = spec.commandLine().getOut();
    PrintWriter err = spec.commandLine().getErr();
    Checkpoint checkpoint = logKey.keys(log, err).verified(SignedNote.parse(log.checkpoint()));
    List<LogEntry> story = read(log, checkpoint);
    if (story.isEmpty()) {
      throw new CommandFailedException(
          "the log's %d entries do not mention request %s".formatted(checkpoint.size(), requestId));
    }
    if (json) {
      out.println(
          JSON.writeValueAsString(
              new Story(requestId, checkpoint.origin(), checkpoint.size(), story)));
    } else {
      LogReport.print(out, log, checkpoint);
      story.forEach(entry -> print(out, entry));
    }
    out.flush();
    return 0;
  }

  private List<LogEntry> read(LogCopy log, Checkpoint checkpoint)
      throws IOException, CommandFailedException {
    CountedProgress progress = LogReport.progress(checkpoint.size());
    try (ProgressLine _ = ProgressLine.passing(spec.commandLine().getErr(), progress::line)) {
      return new SignatureStory(checkpoint, log, progress::reached).of(requestId.toString());
    } catch (LogFormatException e) {
      throw new CommandFailedException("the log is not sound: " + e.getMessage(), e);
    }
  }

  private static void print(PrintWriter out, LogEntry entry) {
    out.printf("%nEntry %d: %s%n", entry.index(), visible(entry.title()));
    entry
        .details()
        .forEach((name, value) -> out.printf("  %-20s %s%n", visible(name), visible(value)));
  }

  /** A log may hold text of others, which must not control the terminal. */
  private static String visible(String text) {
    return text.replaceAll("\\p{Cc}", "\uFFFD");
  }
}
