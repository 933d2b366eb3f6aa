package org.keywell.cli.log;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.keywell.tlog.Checkpoint;
import org.keywell.tlog.LogFormatException;
import org.keywell.tlog.NoteKey;
import org.keywell.tlog.SignedNote;

/**
 * The keys of which one must have signed a log's checkpoints. A log's origin is the name of its
 * key.
 */
public record LogKeys(List<NoteKey> keys) {

  public LogKeys {
    keys = List.copyOf(keys);
    if (keys.isEmpty()) {
      throw new LogFormatException("no verifier key");
    }
  }

  /**
   * Reads verifier keys, one per line; lines that are empty or start with # are comments.
   *
   * @throws LogFormatException if a line is none, or there are no others
   */
  public static LogKeys parse(String text) {
    return new LogKeys(
        text.lines()
            .map(String::strip)
            .filter(line -> !line.isEmpty() && !line.startsWith("#"))
            .map(NoteKey::parse)
            .toList());
  }

  public static LogKeys parse(byte[] text) {
    return parse(new String(text, StandardCharsets.UTF_8));
  }

  /** Returns the keys, one per line. */
  public String text() {
    return String.join("\n", names()) + "\n";
  }

  /**
   * Returns the checkpoint that a note holds.
   *
   * @throws LogFormatException if none of the keys has signed it
   */
  public Checkpoint verified(SignedNote note) {
    Checkpoint checkpoint = Checkpoint.parse(note.text());
    if (note.signedBy(keys).stream().noneMatch(key -> key.name().equals(checkpoint.origin()))) {
      throw new LogFormatException(
          "the checkpoint of %s is not signed by %s"
              .formatted(checkpoint.origin(), String.join(" or ", names())));
    }
    return checkpoint;
  }

  private List<String> names() {
    return keys.stream().map(NoteKey::toString).toList();
  }
}
