package org.keywell.signing.record.archive;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.keywell.signing.log.StoredLog;
import org.keywell.tlog.Checkpoint;
import org.keywell.tlog.DirectoryTiles;
import org.keywell.tlog.EntryBundle;
import org.keywell.tlog.LogFormatException;
import org.keywell.tlog.LogReader;
import org.keywell.tlog.NoteKey;
import org.keywell.tlog.SignedNote;
import org.keywell.tlog.TileId;
import org.keywell.tlog.TileSource;

/**
 * The copy of the log beside the archived months: static files (C2SP tlog-tiles), from the first
 * entry to a signed checkpoint, which all months share. From its tiles, each archived request's
 * proof can be computed. Not thread-safe.
 */
final class ArchivedLog {

  private static final String CHECKPOINT = "checkpoint";
  private static final String KEY = "key";
  private static final int KEPT_BUNDLES = 64;

  private final byte[] note;
  private final Checkpoint checkpoint;
  private final TileSource tiles;
  private final Map<Long, List<byte[]>> bundles =
      new LinkedHashMap<>(KEPT_BUNDLES, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Long, List<byte[]>> eldest) {
          return size() > KEPT_BUNDLES;
        }
      };

  private ArchivedLog(byte[] note, Checkpoint checkpoint, TileSource tiles) {
    this.note = note;
    this.checkpoint = checkpoint;
    this.tiles = tiles;
  }

  /**
   * Adds to the copy what the log has got since, and verifies the whole copy as it is on the disk.
   *
   * @throws ArchiveFailedException if it is not sound, or does not continue the earlier copy
   */
  static ArchivedLog copy(StoredLog log, Path directory, Progress progress) throws IOException {
    byte[] note =
        log.checkpoint()
            .orElseThrow(() -> new ArchiveFailedException("the log has no signed checkpoint yet"));
    TileSource copy = new DirectoryTiles(directory);
    try {
      List<NoteKey> keys = log.keys().stream().map(NoteKey::parse).toList();
      Checkpoint checkpoint = verified(note, keys);
      Path file = directory.resolve(CHECKPOINT);
      List<Checkpoint> earlier =
          Files.exists(file) ? List.of(verified(Files.readAllBytes(file), keys)) : List.of();
      TileSource copying = tile -> copied(tile, copy, log.tiles(), directory);
      new LogReader(
              copying, (index, _) -> progress.reached("log", "entries", index, checkpoint.size()))
          .read(checkpoint, earlier);
      // What is on the disk now, not what was read on the way there.
      new LogReader(
              copy,
              (index, _) -> progress.reached("log, verified", "entries", index, checkpoint.size()))
          .read(checkpoint, earlier);
      WholeFile.write(
          directory.resolve(KEY),
          (String.join("\n", log.keys()) + "\n").getBytes(StandardCharsets.UTF_8));
      WholeFile.write(file, note);
      return new ArchivedLog(note, checkpoint, copy);
    } catch (LogFormatException e) {
      throw new ArchiveFailedException("the log is not sound: " + e.getMessage(), e);
    }
  }

  private static Optional<byte[]> copied(
      TileId tile, TileSource copy, TileSource log, Path directory) throws IOException {
    Optional<byte[]> there = copy.read(tile);
    if (there.isPresent()) {
      return there;
    }
    Optional<byte[]> read = log.read(tile);
    if (read.isPresent()) {
      WholeFile.write(directory.resolve(tile.path()), read.get());
    }
    return read;
  }

  private static Checkpoint verified(byte[] bytes, List<NoteKey> keys) {
    SignedNote signed = SignedNote.parse(bytes);
    Checkpoint checkpoint = Checkpoint.parse(signed.text());
    if (signed.signedBy(keys).stream().noneMatch(key -> key.name().equals(checkpoint.origin()))) {
      throw new LogFormatException("none of its keys has signed the checkpoint");
    }
    return checkpoint;
  }

  /** Returns the checkpoint, a signed note. */
  byte[] note() {
    return note;
  }

  /** Returns how many entries the copy has. */
  long size() {
    return checkpoint.size();
  }

  /** Returns an entry of the copy, as text. */
  String entry(long index) throws IOException {
    long bundle = index / TileId.FULL;
    List<byte[]> entries = bundles.get(bundle);
    if (entries == null) {
      int width = (int) Math.min(TileId.FULL, checkpoint.size() - bundle * TileId.FULL);
      entries = EntryBundle.decode(tiles.require(TileId.ofEntries(bundle, width)));
      bundles.put(bundle, entries);
    }
    return new String(entries.get((int) (index % TileId.FULL)), StandardCharsets.UTF_8);
  }
}
