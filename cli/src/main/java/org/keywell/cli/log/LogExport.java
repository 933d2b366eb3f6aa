package org.keywell.cli.log;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.keywell.tlog.Checkpoint;
import org.keywell.tlog.LogFormatException;
import org.keywell.tlog.SignedNote;
import org.keywell.tlog.TileId;
import org.keywell.tlog.TileSource;

/**
 * Copies a log into a directory, as a static log. Each file appears complete, and only once it is
 * verified; the checkpoint comes last. Files that are there are verified but not fetched again, so
 * that an export can be resumed, and repeated when the log has grown.
 */
public final class LogExport implements TileSource {
  private final LogCopy log;
  private final LogDirectory copy;
  private final Map<TileId, byte[]> fetched = new LinkedHashMap<>();

  public LogExport(LogCopy log, Path directory) {
    this.log = log;
    this.copy = new LogDirectory(directory);
  }

  /**
   * Copies the checkpoint's tree.
   *
   * @param note the checkpoint's
   * @param keys that have signed it
   * @return what is wrong with the log, or with earlier files; the checkpoint is written if nothing
   *     is
   * @throws LogFormatException if an earlier export is not an earlier part of this log
   */
  public Findings run(SignedNote note, LogKeys keys, LogAudit.Progress progress)
      throws IOException {
    Checkpoint checkpoint = keys.verified(note);
    requireContinuation(checkpoint, keys);
    Findings findings =
        new LogAudit(
                checkpoint,
                this,
                (index, entry) -> {},
                (entries, soFar) -> {
                  if (soFar.none()) {
                    keep();
                  }
                  fetched.clear();
                  progress.read(entries, soFar);
                })
            .read(0, checkpoint.size());
    if (findings.none()) {
      write(LogCopy.KEY, keys.text().getBytes(StandardCharsets.UTF_8));
      write(LogCopy.CHECKPOINT, note.bytes());
    }
    return findings;
  }

  @Override
  public Optional<byte[]> read(TileId tile) throws IOException {
    Optional<byte[]> there = copy.read(tile);
    if (there.isPresent()) {
      return there;
    }
    there = log.read(tile);
    there.ifPresent(bytes -> fetched.put(tile, bytes));
    return there;
  }

  private void requireContinuation(Checkpoint checkpoint, LogKeys keys) throws IOException {
    Optional<byte[]> earlier = copy.file(LogCopy.CHECKPOINT);
    if (earlier.isEmpty()) {
      return;
    }
    Checkpoint exported = keys.verified(SignedNote.parse(earlier.get()));
    if (exported.size() > checkpoint.size()
        || Histories.compare(exported, copy, checkpoint, log)
            instanceof Histories.Relation.Differs) {
      throw new LogFormatException(
          "%s has an export of %d entries, which the log of %d entries does not continue"
              .formatted(copy.place(), exported.size(), checkpoint.size()));
    }
  }

  private void keep() throws IOException {
    for (Map.Entry<TileId, byte[]> tile : fetched.entrySet()) {
      write(tile.getKey().path(), tile.getValue());
    }
  }

  private void write(String path, byte[] content) throws IOException {
    Path file = copy.directory().resolve(path);
    Files.createDirectories(file.getParent());
    Path temporary = file.resolveSibling(file.getFileName() + ".tmp");
    Files.deleteIfExists(temporary);
    if (log instanceof LogDirectory(Path source) && Files.exists(source.resolve(path))) {
      new OriginalReaders(source.resolve(path)).create(temporary);
    }
    Files.write(temporary, content);
    Files.move(
        temporary, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }
}
