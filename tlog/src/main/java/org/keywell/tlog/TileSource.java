package org.keywell.tlog;

import java.io.IOException;
import java.util.Optional;

/** Where a log's tiles are read: a database, a directory, or a server. */
@FunctionalInterface
public interface TileSource {

  /**
   * Returns a tile's hashes or a bundle's entries, encoded; empty if it is missing. Not verified.
   *
   * @throws IOException if it cannot be read
   */
  Optional<byte[]> read(TileId tile) throws IOException;

  /**
   * Returns a tile, or the full one in its place: a log may delete a partial tile once that is
   * there.
   *
   * @throws LogFormatException if both are missing
   * @throws IOException if one cannot be read
   */
  default byte[] require(TileId tile) throws IOException {
    Optional<byte[]> there = read(tile);
    if (there.isEmpty() && !tile.isFull()) {
      there = read(tile.full());
    }
    return there.orElseThrow(() -> new LogFormatException("the log has no " + tile.path()));
  }
}
