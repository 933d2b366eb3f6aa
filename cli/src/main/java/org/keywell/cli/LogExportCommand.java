package org.keywell.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.keywell.cli.log.Findings;
import org.keywell.cli.log.LogCopy;
import org.keywell.cli.log.LogExport;
import org.keywell.cli.log.LogKeys;
import org.keywell.cli.options.ProgressLine;
import org.keywell.cli.options.ServerOptions;
import org.keywell.tlog.Checkpoint;
import org.keywell.tlog.SignedNote;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Copies a log into a directory. */
@Command(
    name = "export",
    description = {
      "Copies a log into a directory, as static files (C2SP tlog-tiles).",
      "Verifies what it writes. If interrupted, or when the log has grown, run it again."
    },
    sortOptions = false)
final class LogExportCommand implements Callable<Integer> {

  @Spec private CommandSpec spec = CommandSpec.create(); // picocli sets its own

  @Mixin private final ServerOptions server = new ServerOptions();

  @Mixin private final LogKeyOption logKey = new LogKeyOption();

  @Parameters(index = "0", paramLabel = "DIRECTORY", description = "Where to write.")
  private Path directory = Path.of("");

  @Parameters(
      index = "1",
      arity = "0..1",
      paramLabel = "URL|DIRECTORY",
      description = "The address of a service, or another copy; default: --url.")
  private @Nullable String place;

  @Override
  public Integer call() throws Exception {
    if (Files.exists(directory) && !Files.isDirectory(directory)) {
      throw CommandFailedException.unusable(directory + " is no directory", null);
    }
    return LogWork.at(place, server, this::export);
  }

  private int export(LogCopy log) throws IOException, CommandFailedException {
    PrintWriter out = spec.commandLine().getOut();
    long start = System.nanoTime();
    LogKeys keys = logKey.keys(log, out);
    SignedNote note = SignedNote.parse(log.checkpoint());
    Checkpoint checkpoint = keys.verified(note);
    LogReport.print(out, log, checkpoint);
    LogReport.requireSound(out, copy(log, note, keys, checkpoint.size()));
    out.print(
        """
        Exported   to %s and verified in %s
        """
            .formatted(directory, LogReport.seconds(start)));
    out.flush();
    return 0;
  }

  private Findings copy(LogCopy log, SignedNote note, LogKeys keys, long size) throws IOException {
    CountedProgress progress = LogReport.progress(size);
    try (ProgressLine _ = ProgressLine.passing(spec.commandLine().getErr(), progress::line)) {
      return new LogExport(log, directory)
          .run(note, keys, (entries, findings) -> progress.reached(entries));
    }
  }
}
