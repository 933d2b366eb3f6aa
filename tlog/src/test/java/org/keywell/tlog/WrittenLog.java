package org.keywell.tlog;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A log in a directory, whose entry i is the text "entry i"; partial tiles and bundles stay. */
final class WrittenLog {

  static final String ORIGIN = "log.example/keys";

  private final Path directory;
  private final List<byte[]> bundle = new ArrayList<>();
  private RightEdge edge = RightEdge.empty();

  WrittenLog(Path directory) {
    this.directory = directory;
  }

  Path directory() {
    return directory;
  }

  static byte[] entry(long index) {
    return ("entry " + index).getBytes(StandardCharsets.UTF_8);
  }

  Checkpoint growTo(int size) throws IOException {
    int before = (int) edge.size();
    for (int index = before; index < size; index++) {
      bundle.add(entry(index));
      if (bundle.size() == TileId.FULL || index == size - 1) {
        write(TileId.ofEntries(index / TileId.FULL, bundle.size()), EntryBundle.encode(bundle));
      }
      if (bundle.size() == TileId.FULL) {
        bundle.clear();
      }
    }
    RightEdge.Grown grown = edge.append(PlainTree.leaves(before, size));
    for (Map.Entry<TileId, byte[]> tile : grown.tiles().entrySet()) {
      write(tile.getKey(), tile.getValue());
    }
    edge = grown.edge();
    return new Checkpoint(ORIGIN, size, edge.root());
  }

  void write(TileId tile, byte[] content) throws IOException {
    Path file = directory.resolve(tile.path());
    Files.createDirectories(file.getParent());
    Files.write(file, content);
  }

  void delete(TileId tile) throws IOException {
    Files.delete(directory.resolve(tile.path()));
  }

  /** Flips one bit. */
  void spoil(TileId tile, int at) throws IOException {
    Path file = directory.resolve(tile.path());
    byte[] content = Files.readAllBytes(file);
    content[at] ^= 1;
    Files.write(file, content);
  }
}
