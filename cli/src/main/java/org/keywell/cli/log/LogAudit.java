package org.keywell.cli.log;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.keywell.tlog.Checkpoint;
import org.keywell.tlog.EntryBundle;
import org.keywell.tlog.LogFormatException;
import org.keywell.tlog.LogReader;
import org.keywell.tlog.TileHashes;
import org.keywell.tlog.TileId;
import org.keywell.tlog.TileSource;
import org.keywell.tlog.Tree;
import org.keywell.tlog.TreeHash;

/**
 * Hashes a log's entries again and compares them with the lowest tiles, each tile with the one
 * above it, and the tiles at the right edge with the checkpoint's root. So it names each damage
 * where it is, and reads on. Needs memory for one bundle and some tiles. Not thread-safe.
 */
public final class LogAudit {
  private static final int LEVELS = 8;
  private static final int NAMED_ENTRIES = 5;

  /** Is told after each bundle. */
  @FunctionalInterface
  public interface Progress {

    /**
     * Everything read so far is verified, if {@code findings} has none.
     *
     * @param entries how many are read
     */
    void read(long entries, Findings findings) throws IOException;
  }

  private final Checkpoint checkpoint;
  private final TileSource source;
  private final TileHashes hashes;
  private final LogReader.Entries entries;
  private final Progress progress;
  private final Findings findings = new Findings();

  /**
   * Creates an audit.
   *
   * @param checkpoint of the tree that is read; its signature is verified
   * @param entries receives, in their order, the entries that have their tile's hash
   */
  public LogAudit(
      Checkpoint checkpoint, TileSource source, LogReader.Entries entries, Progress progress) {
    this.checkpoint = checkpoint;
    this.source = source;
    this.hashes = new TileHashes(checkpoint.size(), source);
    this.entries = entries;
    this.progress = progress;
  }

  /**
   * Reads whole bundles.
   *
   * @param from the first entry, from 0
   * @param to the entry after the last; at most the checkpoint's size
   * @return all findings so far
   * @throws IOException if the source cannot be read
   */
  public Findings read(long from, long to) throws IOException {
    try {
      compare(this::compareRoot);
      long first = from / TileId.FULL;
      for (long bundle = first; bundle * TileId.FULL < to; bundle++) {
        long at = bundle;
        compare(() -> compareEntries(at));
        compareTiles(at, at == first);
        progress.read(
            Math.min(checkpoint.size(), (at + 1) * TileId.FULL) - first * TileId.FULL, findings);
      }
      return findings;
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  @FunctionalInterface
  private interface Comparison {
    void run() throws IOException;
  }

  private void compare(Comparison comparison) throws IOException {
    try {
      comparison.run();
    } catch (LogFormatException e) {
      findings.add(String.valueOf(e.getMessage()));
    }
  }

  private void compareRoot() {
    TreeHash root = new Tree(checkpoint.size(), hashes).root();
    if (!root.equals(checkpoint.root())) {
      findings.add(
          "the tiles have the root %s, the checkpoint of %d entries has %s"
              .formatted(root, checkpoint.size(), checkpoint.root()));
    }
  }

  private void compareEntries(long bundle) throws IOException {
    long first = bundle * TileId.FULL;
    int width = (int) Math.min(TileId.FULL, checkpoint.size() - first);
    TileId id = TileId.ofEntries(bundle, width);
    List<byte[]> read = decoded(id);
    // A full bundle may stand in for a partial one.
    if (read.size() != width && read.size() != TileId.FULL) {
      findings.add("%s has %d entries instead of %d".formatted(id.path(), read.size(), width));
    }
    List<Long> wrong = new ArrayList<>();
    for (int i = 0; i < Math.min(read.size(), width); i++) {
      if (hashes.hash(0, first + i).equals(TreeHash.ofLeaf(read.get(i)))) {
        entries.entry(first + i, read.get(i));
      } else {
        wrong.add(first + i);
      }
    }
    if (!wrong.isEmpty()) {
      String tile = TileId.ofHashes(0, bundle, width).path();
      findings.add("%s does not have the hashes in %s: %s".formatted(id.path(), tile, list(wrong)));
    }
  }

  private List<byte[]> decoded(TileId bundle) throws IOException {
    byte[] encoded = source.require(bundle);
    try {
      return EntryBundle.decode(encoded);
    } catch (LogFormatException e) {
      throw new LogFormatException(bundle.path() + ": " + e.getMessage(), e);
    }
  }

  private static String list(List<Long> wrong) {
    String first =
        wrong.stream().limit(NAMED_ENTRIES).map(String::valueOf).collect(Collectors.joining(", "));
    return wrong.size() <= NAMED_ENTRIES
        ? "entry " + first
        : "entry %s and %d more".formatted(first, wrong.size() - NAMED_ENTRIES);
  }

  /** Compares the tile of this bundle, and with their first bundle those above it. */
  private void compareTiles(long bundle, boolean first) throws IOException {
    long index = bundle;
    for (int level = 0; isFull(level, index); level++) {
      int own = level;
      long at = index;
      compare(() -> compareWithTileAbove(own, at));
      if (index % TileId.FULL != 0 && !first) {
        return;
      }
      index /= TileId.FULL;
    }
  }

  /** Only full tiles have a hash above them; the root is made of the others. */
  private boolean isFull(int level, long index) {
    return index + 1 <= checkpoint.size() >>> (LEVELS * (level + 1));
  }

  private void compareWithTileAbove(int level, long index) {
    int above = LEVELS * (level + 1);
    TreeHash hash =
        TreeHash.ofNode(hashes.hash(above - 1, 2 * index), hashes.hash(above - 1, 2 * index + 1));
    if (!hash.equals(hashes.hash(above, index))) {
      findings.add(
          "%s does not have its hash in the tile above"
              .formatted(TileId.ofHashes(level, index, TileId.FULL).path()));
    }
  }
}
