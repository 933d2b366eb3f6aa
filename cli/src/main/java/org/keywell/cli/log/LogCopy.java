package org.keywell.cli.log;

import java.io.IOException;
import java.util.Optional;
import org.keywell.tlog.LogFormatException;
import org.keywell.tlog.TileSource;

/** A log, or a copy of it, at one place. Nothing that it returns is verified. */
public interface LogCopy extends TileSource {

  String CHECKPOINT = "checkpoint";
  String WITNESSED_CHECKPOINT = "witnessed-checkpoint";
  String KEY = "key";

  /** Returns where it is, in words for the user. */
  String place();

  /** Returns what is at a path below the log's prefix; empty if nothing is. */
  Optional<byte[]> file(String path) throws IOException;

  /**
   * Returns its latest checkpoint's note.
   *
   * @throws LogFormatException if it has none
   */
  default byte[] checkpoint() throws IOException {
    return file(CHECKPOINT)
        .orElseThrow(() -> new LogFormatException("there is no log at " + place()));
  }

  /**
   * Returns the note of its latest checkpoint that witnesses have cosigned, where it is known.
   *
   * @throws LogFormatException if it has no checkpoint
   */
  default byte[] witnessedCheckpoint() throws IOException {
    Optional<byte[]> witnessed = file(WITNESSED_CHECKPOINT);
    return witnessed.isPresent() ? witnessed.get() : checkpoint();
  }
}
