package org.keywell.tlog;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * A log's tiles as files, at the paths that they have below a log's URL. Thread-safe.
 *
 * @param directory the log's prefix
 */
public record DirectoryTiles(Path directory) implements TileSource {

  @Override
  public Optional<byte[]> read(TileId tile) throws IOException {
    try {
      return Optional.of(Files.readAllBytes(directory.resolve(tile.path())));
    } catch (NoSuchFileException e) {
      return Optional.empty();
    }
  }
}
