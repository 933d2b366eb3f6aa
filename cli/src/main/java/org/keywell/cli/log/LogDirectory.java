package org.keywell.cli.log;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;
import org.keywell.tlog.DirectoryTiles;
import org.keywell.tlog.TileId;

/** A log as files, such as an export. */
public record LogDirectory(Path directory) implements LogCopy {

  @Override
  public String place() {
    return directory.toString();
  }

  @Override
  public Optional<byte[]> file(String path) throws IOException {
    try {
      return Optional.of(Files.readAllBytes(directory.resolve(path)));
    } catch (NoSuchFileException e) {
      return Optional.empty();
    }
  }

  @Override
  public Optional<byte[]> read(TileId tile) throws IOException {
    return new DirectoryTiles(directory).read(tile);
  }
}
