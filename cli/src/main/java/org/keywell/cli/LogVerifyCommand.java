package org.keywell.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.keywell.cli.log.Findings;
import org.keywell.cli.log.Histories;
import org.keywell.cli.log.LogAudit;
import org.keywell.cli.log.LogCopy;
import org.keywell.cli.log.LogKeys;
import org.keywell.cli.options.ProgressLine;
import org.keywell.cli.options.ServerOptions;
import org.keywell.tlog.Checkpoint;
import org.keywell.tlog.LogFormatException;
import org.keywell.tlog.NoteKey;
import org.keywell.tlog.SignedNote;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Verifies a log from its entries up. */
@Command(
    name = "verify",
    description = {
      "Verifies a log: hashes its entries again and compares all tiles, the root, and the"
          + " checkpoint's signature.",
      "Names each damage; the exit code is then 1."
    },
    sortOptions = false)
final class LogVerifyCommand implements Callable<Integer> {

  @Spec private CommandSpec spec = CommandSpec.create(); // picocli sets its own

  @Mixin private final ServerOptions server = new ServerOptions();

  @Mixin private final LogKeyOption logKey = new LogKeyOption();

  @Parameters(
      arity = "0..1",
      paramLabel = "URL|DIRECTORY",
      description = "The address of a service, or the directory of an export; default: --url.")
  private @Nullable String place;

  @Option(
      names = "--from",
      paramLabel = "N",
      defaultValue = "0",
      description = "Read only the entries from this one on; the first is 0.")
  private long from;

  @Option(
      names = "--to",
      paramLabel = "N",
      description = "Read only the entries before this one; default: all.")
  private @Nullable Long to;

  @Option(
      names = "--against",
      paramLabel = "URL|DIRECTORY",
      description = "Also require that this older or newer copy has the same history.")
  private @Nullable String against;

  @Option(
      names = "--witness",
      paramLabel = "KEY",
      description =
          "The verifier key of a witness that must have cosigned the checkpoint; repeat it for each.")
  private List<String> witnesses = List.of();

  @Override
  public Integer call() throws Exception {
    if (from < 0 || (to != null && to <= from)) {
      throw new ParameterException(spec.commandLine(), "--from must be 0 or more, --to above it");
    }
    return LogWork.at(place, server, this::verify);
  }

  private int verify(LogCopy log) throws IOException, InterruptedException, CommandFailedException {
    PrintWriter out = spec.commandLine().getOut();
    long start = System.nanoTime();
    LogKeys keys = logKey.keys(log, out);
    SignedNote note =
        SignedNote.parse(witnesses.isEmpty() ? log.checkpoint() : log.witnessedCheckpoint());
    Checkpoint checkpoint = keys.verified(note);
    LogReport.print(out, log, checkpoint);
    requireWitnesses(note, out);
    long end = to == null ? checkpoint.size() : to;
    if (end > checkpoint.size() || (from > 0 && from >= end)) {
      throw new CommandFailedException("the log has no entries %d to %d".formatted(from, end - 1));
    }
    LogReport.requireSound(out, audit(log, checkpoint, end));
    out.print(
        """
        Verified   %d entries, their tiles, the root and its signature in %s
        """
            .formatted(end - from, LogReport.seconds(start)));
    out.flush();
    if (against != null) {
      LogWork.at(against, server, other -> compare(log, checkpoint, other, keys));
    }
    return 0;
  }

  private void requireWitnesses(SignedNote note, PrintWriter out) throws CommandFailedException {
    List<NoteKey> keys = keysOfWitnesses();
    List<NoteKey> missing = new ArrayList<>(keys);
    missing.removeAll(note.signedBy(keys));
    if (!missing.isEmpty()) {
      throw new CommandFailedException(
          "witnesses that have not cosigned the checkpoint: "
              + missing.stream().map(NoteKey::name).collect(Collectors.joining(", ")));
    }
    if (!keys.isEmpty()) {
      out.print("Cosigned   by all %d witnesses\n".formatted(keys.size()));
      out.flush();
    }
  }

  private List<NoteKey> keysOfWitnesses() throws CommandFailedException {
    try {
      return witnesses.stream().map(NoteKey::parse).distinct().toList();
    } catch (LogFormatException e) {
      throw CommandFailedException.unusable("--witness: " + e.getMessage(), e);
    }
  }

  private Findings audit(LogCopy log, Checkpoint checkpoint, long end) throws IOException {
    CountedProgress progress = LogReport.progress(end - from);
    try (ProgressLine _ = ProgressLine.passing(spec.commandLine().getErr(), progress::line)) {
      return new LogAudit(
              checkpoint, log, (index, entry) -> {}, (read, _) -> progress.reached(read))
          .read(from, end);
    }
  }

  private boolean compare(LogCopy log, Checkpoint checkpoint, LogCopy other, LogKeys keys)
      throws IOException, CommandFailedException {
    PrintWriter out = spec.commandLine().getOut();
    try {
      Checkpoint otherCheckpoint = keys.verified(SignedNote.parse(other.checkpoint()));
      return switch (Histories.compare(checkpoint, log, otherCheckpoint, other)) {
        case Histories.Relation.Same() -> {
          out.print(
              """
              Against    %s, %d entries: the same history
              """
                  .formatted(other.place(), otherCheckpoint.size()));
          out.flush();
          yield true;
        }
        case Histories.Relation.Differs(var entry) ->
            throw new CommandFailedException(
                entry.isPresent()
                    ? "%s and %s have different histories, each signed: they differ from entry %d on"
                        .formatted(log.place(), other.place(), entry.getAsLong())
                    : "the tiles of %s do not have the root of its checkpoint"
                        .formatted(other.place()));
      };
    } catch (LogFormatException e) {
      throw new CommandFailedException(other.place() + ": " + e.getMessage(), e);
    }
  }
}
