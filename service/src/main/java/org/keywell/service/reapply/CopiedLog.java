package org.keywell.service.reapply;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiPredicate;
import org.keywell.tlog.Checkpoint;
import org.keywell.tlog.DirectoryTiles;
import org.keywell.tlog.LogFormatException;
import org.keywell.tlog.LogReader;
import org.keywell.tlog.NoteKey;
import org.keywell.tlog.SignedNote;

/**
 * A copy of the log in a directory, as {@code log export} makes it. Nothing of it is believed
 * before its checkpoint is found to be signed by the log's key, and its entries to have that root.
 *
 * @param checkpoint of the copy, verified
 */
record CopiedLog(Path directory, Checkpoint checkpoint) {

  /**
   * Opens a copy.
   *
   * @param origin the name of the log that it must be of
   * @param keys of that log, not from the copy
   * @throws LogFormatException if it is not a copy of that log, or not signed
   * @throws IOException if it cannot be read
   */
  static CopiedLog open(Path directory, String origin, List<NoteKey> keys) throws IOException {
    SignedNote note = SignedNote.parse(Files.readAllBytes(directory.resolve("checkpoint")));
    Checkpoint checkpoint = Checkpoint.parse(note.text());
    if (!checkpoint.origin().equals(origin)) {
      throw new LogFormatException(
          "it is of the log %s, not of %s".formatted(checkpoint.origin(), origin));
    }
    if (note.signedBy(keys).stream().noneMatch(key -> key.name().equals(origin))) {
      throw new LogFormatException(
          "its checkpoint is not signed by a key of %s that is known here (--log-key)"
              .formatted(origin));
    }
    return new CopiedLog(directory, checkpoint);
  }

  /**
   * Reads the whole copy.
   *
   * @param isKnown whether the database's own log has this entry at this place
   * @return what it tells of ended things and that log does not, in its order
   * @throws LogFormatException if the entries do not have the checkpoint's root
   */
  List<LoggedEnd> lost(BiPredicate<Long, byte[]> isKnown) throws IOException {
    List<LoggedEnd> lost = new ArrayList<>();
    new LogReader(
            new DirectoryTiles(directory),
            (index, entry) ->
                LoggedEnd.of(index, entry)
                    .filter(_ -> !isKnown.test(index, entry))
                    .ifPresent(lost::add))
        .read(checkpoint, List.of());
    return lost;
  }
}
