package org.keywell.tlog;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The partial tiles at a tree's right edge: all that is needed to append to it. Immutable. */
public final class RightEdge {

  private static final int HEIGHT = 8;

  private final long size;

  /** One per tile level, from 0 up, each with fewer hashes than a full tile; the last not empty. */
  private final List<List<TreeHash>> levels;

  /**
   * A tree that grew.
   *
   * @param edge of the larger tree
   * @param tiles of hashes that are new or wider, encoded; full ones and those of the larger edge
   */
  public record Grown(RightEdge edge, Map<TileId, byte[]> tiles) {}

  private RightEdge(long size, List<List<TreeHash>> levels) {
    this.size = size;
    this.levels = levels;
  }

  /** Returns the edge of a tree without entries. */
  public static RightEdge empty() {
    return new RightEdge(0, List.of());
  }

  /**
   * Reads the edge of a tree.
   *
   * @throws LogFormatException if a tile is missing or malformed
   * @throws java.io.UncheckedIOException if one cannot be read
   */
  public static RightEdge read(long size, TileSource source) {
    TileHashes tiles = new TileHashes(size, source);
    List<List<TreeHash>> levels = new ArrayList<>();
    for (long left = size; left > 0; left >>>= HEIGHT) {
      int level = levels.size();
      long first = left / TileId.FULL * TileId.FULL;
      List<TreeHash> hashes = new ArrayList<>();
      for (long index = first; index < left; index++) {
        hashes.add(tiles.hash(level * HEIGHT, index));
      }
      levels.add(List.copyOf(hashes));
    }
    return new RightEdge(size, List.copyOf(levels));
  }

  public long size() {
    return size;
  }

  /** Returns the tree's root. */
  public TreeHash root() {
    return new Tree(size, this::hash).root();
  }

  /** Appends leaves, in their order. */
  public Grown append(List<TreeHash> leaves) {
    Map<TileId, byte[]> tiles = new LinkedHashMap<>();
    List<List<TreeHash>> grown = new ArrayList<>();
    List<TreeHash> arriving = leaves;
    for (int level = 0; level < levels.size() || !arriving.isEmpty(); level++) {
      List<TreeHash> row = new ArrayList<>(level < levels.size() ? levels.get(level) : List.of());
      long tile = (size >>> (HEIGHT * level)) / TileId.FULL;
      boolean wider = !arriving.isEmpty();
      row.addAll(arriving);
      arriving = new ArrayList<>();
      while (row.size() >= TileId.FULL) {
        List<TreeHash> full = row.subList(0, TileId.FULL);
        tiles.put(TileId.ofHashes(level, tile, TileId.FULL), TileHashes.encode(full));
        arriving.add(TileHashes.subtree(full));
        row = new ArrayList<>(row.subList(TileId.FULL, row.size()));
        tile++;
      }
      if (wider && !row.isEmpty()) {
        tiles.put(TileId.ofHashes(level, tile, row.size()), TileHashes.encode(row));
      }
      grown.add(List.copyOf(row));
    }
    return new Grown(new RightEdge(size + leaves.size(), List.copyOf(grown)), tiles);
  }

  /** Knows what the root needs: the edge alone. */
  private TreeHash hash(int level, long index) {
    List<TreeHash> row = levels.get(level / HEIGHT);
    int from = (int) ((index << (level % HEIGHT)) % TileId.FULL);
    return TileHashes.subtree(row.subList(from, from + (1 << (level % HEIGHT))));
  }
}
