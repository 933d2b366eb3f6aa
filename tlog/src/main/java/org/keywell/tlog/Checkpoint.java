package org.keywell.tlog;

import java.util.List;

/**
 * What a log says of its tree (C2SP tlog-checkpoint). Extension lines of foreign logs are left out.
 *
 * @param origin names the log
 * @param size of the tree, in entries
 */
public record Checkpoint(String origin, long size, TreeHash root) {

  private static final int LINES = 3;

  public Checkpoint {
    if (origin.isEmpty() || origin.chars().anyMatch(c -> c < ' ') || size < 0) {
      throw new LogFormatException("a checkpoint's origin or size");
    }
    if (size == 0 && !root.equals(TreeHash.EMPTY_TREE)) {
      throw new LogFormatException("a tree without entries has one root only");
    }
  }

  public static Checkpoint of(String origin, Tree tree) {
    return new Checkpoint(origin, tree.size(), tree.root());
  }

  /** Returns the checkpoint before the first entry. */
  public static Checkpoint ofEmptyTree(String origin) {
    return new Checkpoint(origin, 0, TreeHash.EMPTY_TREE);
  }

  /** Returns the text of the note. */
  public String text() {
    return origin + "\n" + size + "\n" + root + "\n";
  }

  /**
   * Reads the text of a note.
   *
   * @throws LogFormatException if it is no checkpoint
   */
  public static Checkpoint parse(String text) {
    List<String> lines = List.of(text.split("\n", -1));
    if (lines.size() <= LINES || lines.indexOf("") != lines.size() - 1) {
      throw new LogFormatException("no checkpoint: " + text);
    }
    return new Checkpoint(
        lines.get(0), Lines.number(lines.get(1), "tree size"), TreeHash.parse(lines.get(2)));
  }
}
