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
}
