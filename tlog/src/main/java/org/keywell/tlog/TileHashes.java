package org.keywell.tlog;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads a tree's hashes from its tiles, and keeps the last ones. They are as trustworthy as the
 * source: compare the root if that is not trusted. Not thread-safe.
 */
public final class TileHashes implements HashSource {

  /** As many as proofs of a tree with 2^40 entries share, several times over. */
  private static final int KEPT = 64;

  private static final int HEIGHT = 8;

  private final long size;
  private final TileSource source;
  private final Map<TileId, List<TreeHash>> kept =
      new LinkedHashMap<>(KEPT, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<TileId, List<TreeHash>> eldest) {
          return size() > KEPT;
        }
      };

  /**
   * @param size of the tree, in entries
   */
  public TileHashes(long size, TileSource source) {
    this.size = size;
    this.source = source;
  }

  /**
   * {@inheritDoc}
   *
   * @throws LogFormatException if a tile is missing or malformed
   * @throws UncheckedIOException if one cannot be read
   */
  @Override
  public TreeHash hash(int level, long index) {
    int within = level % HEIGHT;
    long first = index << within;
    List<TreeHash> hashes = tile(level / HEIGHT, first / TileId.FULL);
    int from = (int) (first % TileId.FULL);
    int to = from + (1 << within);
    if (to > hashes.size()) {
      throw new IllegalArgumentException(
          "level " + level + ", index " + index + " is beyond a tree of " + size);
    }
    return subtree(hashes.subList(from, to));
  }

  private List<TreeHash> tile(int level, long index) {
    long there = size >>> (HEIGHT * level);
    long width = Math.min(TileId.FULL, there - index * TileId.FULL);
    if (width <= 0) {
      throw new IllegalArgumentException("tile " + index + " is beyond a tree of " + size);
    }
    TileId id = TileId.ofHashes(level, index, (int) width);
    List<TreeHash> hashes = kept.get(id);
    if (hashes == null) {
      hashes = read(id);
      kept.put(id, hashes);
    }
    return hashes;
  }

  private List<TreeHash> read(TileId id) {
    try {
      byte[] tile = source.require(id);
      if (tile.length < id.width() * TreeHash.LENGTH || tile.length % TreeHash.LENGTH != 0) {
        throw new LogFormatException(
            "%s has %s bytes instead of %s"
                .formatted(id.path(), tile.length, id.width() * TreeHash.LENGTH));
      }
      return decode(tile).subList(0, id.width());
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + id.path(), e);
    }
  }

  static List<TreeHash> decode(byte[] tile) {
    if (tile.length == 0 || tile.length % TreeHash.LENGTH != 0) {
      throw new LogFormatException("a tile of " + tile.length + " bytes");
    }
    List<TreeHash> hashes = new ArrayList<>(tile.length / TreeHash.LENGTH);
    for (int at = 0; at < tile.length; at += TreeHash.LENGTH) {
      hashes.add(TreeHash.of(Arrays.copyOfRange(tile, at, at + TreeHash.LENGTH)));
    }
    return hashes;
  }

  static byte[] encode(List<TreeHash> hashes) {
    byte[] tile = new byte[hashes.size() * TreeHash.LENGTH];
    for (int i = 0; i < hashes.size(); i++) {
      System.arraycopy(hashes.get(i).bytes(), 0, tile, i * TreeHash.LENGTH, TreeHash.LENGTH);
    }
    return tile;
  }

  /** Returns the hash over these; their number is a power of two. */
  static TreeHash subtree(List<TreeHash> hashes) {
    if (hashes.size() == 1) {
      return hashes.get(0);
    }
    int middle = hashes.size() / 2;
    return TreeHash.ofNode(
        subtree(hashes.subList(0, middle)), subtree(hashes.subList(middle, hashes.size())));
  }
}
