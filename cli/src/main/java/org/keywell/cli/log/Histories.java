package org.keywell.cli.log;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.OptionalLong;
import org.keywell.tlog.Checkpoint;
import org.keywell.tlog.HashSource;
import org.keywell.tlog.Proofs;
import org.keywell.tlog.TileHashes;
import org.keywell.tlog.TileSource;
import org.keywell.tlog.Tree;

/** Compares two copies of a log, one of which may be older. */
public final class Histories {

  /** How two copies relate. */
  public sealed interface Relation {

    /** The longer one continues the other. */
    record Same() implements Relation {}

    /**
     * Their common part is not the same.
     *
     * @param entry the first that differs; empty if their tiles do not tell, so that the tiles of
     *     one do not belong to its checkpoint
     */
    record Differs(OptionalLong entry) implements Relation {}
  }

  private final Checkpoint one;
  private final Checkpoint other;
  private final HashSource hashes;
  private final HashSource otherHashes;

  private Histories(Checkpoint one, TileSource tiles, Checkpoint other, TileSource otherTiles) {
    this.one = one;
    this.other = other;
    this.hashes = new TileHashes(one.size(), tiles);
    this.otherHashes = new TileHashes(other.size(), otherTiles);
  }

  /**
   * Compares two copies by their checkpoints and tiles; it reads a few of these only.
   *
   * @throws org.keywell.tlog.LogFormatException if a tile is missing or malformed
   * @throws IOException if one cannot be read
   */
  public static Relation compare(
      Checkpoint one, TileSource tiles, Checkpoint other, TileSource otherTiles)
      throws IOException {
    try {
      Histories both =
          one.size() <= other.size()
              ? new Histories(one, tiles, other, otherTiles)
              : new Histories(other, otherTiles, one, tiles);
      return both.otherContinues()
          ? new Relation.Same()
          : new Relation.Differs(both.firstDifference());
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  private boolean otherContinues() {
    return Proofs.continues(
        one.size(),
        one.root(),
        other.size(),
        other.root(),
        new Tree(other.size(), otherHashes).consistencyProof(one.size()));
  }

  /** Looks at the complete subtrees of the shorter log, from the left, which is the largest. */
  private OptionalLong firstDifference() {
    long from = 0;
    while (from < one.size()) {
      int level = Long.SIZE - 1 - Long.numberOfLeadingZeros(one.size() - from);
      if (differs(level, from >>> level)) {
        return OptionalLong.of(firstLeaf(level, from >>> level));
      }
      from += 1L << level;
    }
    return OptionalLong.empty();
  }

  private long firstLeaf(int top, long index) {
    long at = index;
    for (int level = top - 1; level >= 0; level--) {
      at = differs(level, 2 * at) ? 2 * at : 2 * at + 1;
    }
    return at;
  }

  private boolean differs(int level, long index) {
    return !hashes.hash(level, index).equals(otherHashes.hash(level, index));
  }
}
