package org.keywell.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.keywell.cli.log.OriginalReaders;

/**
 * The files for a signature. Temporary files of the expected size next to them reserve their space
 * before the signature is requested: permissions do not bind a superuser and say nothing about a
 * full disk. Each file appears complete or not at all, the last one last.
 */
final class ResultFiles implements AutoCloseable {
  private static final byte[] ZEROS = new byte[1 << 16];

  private final List<Path> targets;
  private final List<Path> reserved = new ArrayList<>();

  private ResultFiles(List<Path> targets) {
    this.targets = targets;
  }

  /** Returns a result's path: next to the file, or in {@code dir} if given. */
  static Path beside(Path file, @Nullable Path dir, String name) {
    Path parent = dir != null ? dir : file.getParent();
    return parent == null ? Path.of(name) : parent.resolve(name);
  }

  /**
   * Reserves their space.
   *
   * @param original nobody else may read the files
   * @param bytes approximate length of each
   * @throws IOException if one cannot be written; nothing is left behind
   */
  static ResultFiles reserve(List<Path> targets, Path original, long bytes) throws IOException {
    ResultFiles files = new ResultFiles(List.copyOf(targets));
    try {
      for (Path target : targets) {
        if (Files.isDirectory(target)) {
          throw new IOException(target + " is a directory");
        }
        files.reserved.add(reserve(target, original, bytes));
      }
      return files;
    } catch (IOException e) {
      files.close();
      throw e;
    }
  }

  private static Path reserve(Path target, Path original, long bytes) throws IOException {
    Path directory = Objects.requireNonNull(target.toAbsolutePath().getParent());
    Path temporary =
        new OriginalReaders(original)
            .create(directory.resolve(".keywell-" + UUID.randomUUID() + ".tmp"));
    try (var out = Files.newOutputStream(temporary)) {
      for (long left = bytes; left > 0; left -= ZEROS.length) {
        out.write(ZEROS, 0, (int) Math.min(left, ZEROS.length));
      }
    } catch (IOException e) {
      Files.deleteIfExists(temporary);
      throw e;
    }
    return temporary;
  }

  List<Path> targets() {
    return targets;
  }

  /** Writes the files, in the order of their targets. */
  void write(List<byte[]> contents) throws IOException {
    for (int i = 0; i < contents.size(); i++) {
      Files.write(
          reserved.get(i),
          contents.get(i),
          StandardOpenOption.WRITE,
          StandardOpenOption.TRUNCATE_EXISTING,
          StandardOpenOption.SYNC);
    }
    // If the next moves fail, an old signature must not stay next to a new chain.
    Files.deleteIfExists(targets.getLast());
    for (int i = 0; i < contents.size(); i++) {
      Files.move(
          reserved.get(i),
          targets.get(i),
          StandardCopyOption.ATOMIC_MOVE,
          StandardCopyOption.REPLACE_EXISTING);
    }
  }

  /** Writes the files under the same names into a new directory elsewhere. */
  Path keepElsewhere(List<byte[]> contents) throws IOException {
    Path directory = Files.createTempDirectory("keywell-");
    for (int i = 0; i < contents.size(); i++) {
      Files.write(directory.resolve(String.valueOf(targets.get(i).getFileName())), contents.get(i));
    }
    return directory;
  }

  /** Releases the space of files that were not written. */
  @Override
  public void close() throws IOException {
    for (Path temporary : reserved) {
      Files.deleteIfExists(temporary);
    }
  }
}
