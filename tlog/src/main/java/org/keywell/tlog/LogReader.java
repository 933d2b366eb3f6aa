package org.keywell.tlog;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.TreeMap;

/**
 * Reads a log from its first entry on, hashes each entry again, and compares all tiles and roots
 * with what it finds. Needs memory for one bundle, however long the log is. Not thread-safe.
 */
public final class LogReader {

  /** Receives each entry once its hash is known to be that of the tile. */
  @FunctionalInterface
  public interface Entries {
    void entry(long index, byte[] entry);
  }

  private final TileSource source;
  private final Entries entries;

  /**
   * Creates a reader.
   *
   * @param entries receives them in their order; what it received is in the log for certain only
   *     once {@link #read} returns
   */
  public LogReader(TileSource source, Entries entries) {
    this.source = source;
    this.entries = entries;
  }

  /**
   * Reads all entries of the checkpoint's tree.
   *
   * @param earlier further checkpoints of the log, each of which this tree must continue
   * @throws LogFormatException that says what does not hold, and where
   * @throws IOException if the source cannot be read
   */
  public void read(Checkpoint checkpoint, List<Checkpoint> earlier) throws IOException {
    NavigableMap<Long, List<Checkpoint>> stops = new TreeMap<>();
    List<Checkpoint> all = new ArrayList<>(earlier);
    all.add(checkpoint);
    for (Checkpoint stop : all) {
      if (!stop.origin().equals(checkpoint.origin()) || stop.size() > checkpoint.size()) {
        throw new LogFormatException(
            "a checkpoint of %s with %s entries is not earlier than one of %s with %s"
                .formatted(stop.origin(), stop.size(), checkpoint.origin(), checkpoint.size()));
      }
      stops.computeIfAbsent(stop.size(), size -> new ArrayList<>()).add(stop);
    }
    RightEdge edge = RightEdge.empty();
    while (true) {
      for (Checkpoint stop : stops.getOrDefault(edge.size(), List.of())) {
        requireRoot(edge, stop);
      }
      if (edge.size() == checkpoint.size()) {
        return;
      }
      edge = readBundle(edge, checkpoint.size(), stops);
    }
  }

  private static void requireRoot(RightEdge edge, Checkpoint stop) {
    if (!edge.root().equals(stop.root())) {
      throw new LogFormatException(
          "the first %s entries have the root %s, not that of the checkpoint, %s"
              .formatted(stop.size(), edge.root(), stop.root()));
    }
  }

  /** Returns the edge after the bundle, compared with each checkpoint within it. */
  private RightEdge readBundle(
      RightEdge before, long size, NavigableMap<Long, List<Checkpoint>> stops) throws IOException {
    long first = before.size();
    long index = first / TileId.FULL;
    int width = (int) Math.min(TileId.FULL, size - first);
    List<byte[]> read = EntryBundle.decode(source.require(TileId.ofEntries(index, width)));
    if (read.size() < width) {
      throw new LogFormatException(
          "%s has %s entries".formatted(TileId.ofEntries(index, width).path(), read.size()));
    }
    List<TreeHash> leaves = read.stream().limit(width).map(TreeHash::ofLeaf).toList();
    requireLeaves(index, leaves);
    for (List<Checkpoint> within : stops.subMap(first, false, first + width, false).values()) {
      for (Checkpoint stop : within) {
        int leavesBefore = (int) (stop.size() - first);
        requireRoot(before.append(leaves.subList(0, leavesBefore)).edge(), stop);
      }
    }
    RightEdge.Grown grown = before.append(leaves);
    requireTiles(grown.tiles(), size);
    for (int i = 0; i < width; i++) {
      entries.entry(first + i, read.get(i));
    }
    return grown.edge();
  }

  private void requireLeaves(long index, List<TreeHash> leaves) throws IOException {
    TileId tile = TileId.ofHashes(0, index, leaves.size());
    List<TreeHash> stored = TileHashes.decode(source.require(tile));
    for (int i = 0; i < leaves.size(); i++) {
      if (i >= stored.size() || !stored.get(i).equals(leaves.get(i))) {
        throw new LogFormatException(
            "entry %s does not have the hash in %s"
                .formatted(index * TileId.FULL + i, tile.path()));
      }
    }
  }

  /** Compares the tiles above the leaves. Partial ones must be there at the tree's end alone. */
  private void requireTiles(Map<TileId, byte[]> tiles, long size) throws IOException {
    for (Map.Entry<TileId, byte[]> tile : tiles.entrySet()) {
      TileId id = tile.getKey();
      if (id.level() == null || id.level() == 0 || !(id.isFull() || isLast(id, size))) {
        continue;
      }
      byte[] stored = source.require(id);
      if (stored.length < tile.getValue().length
          || !Arrays.equals(tile.getValue(), Arrays.copyOf(stored, tile.getValue().length))) {
        throw new LogFormatException(id.path() + " is not made of the tiles below");
      }
    }
  }

  private static boolean isLast(TileId tile, long size) {
    int level = Objects.requireNonNull(tile.level());
    return tile.index() * TileId.FULL + tile.width() == size >>> (Byte.SIZE * level);
  }
}
