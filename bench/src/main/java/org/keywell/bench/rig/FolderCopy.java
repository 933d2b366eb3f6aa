package org.keywell.bench.rig;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import org.jspecify.annotations.Nullable;

/** Copies folders unchanged, and removes them. */
public final class FolderCopy {

  private FolderCopy() {}

  /**
   * Copies a folder with its permissions and times: the embedded PostgreSQL unpacks its program
   * again if one of its folders looks newer than recorded. Forces everything to disk; otherwise the
   * system would write it while something is measured.
   *
   * @param to must not exist
   */
  static void copy(Path from, Path to) throws IOException {
    Files.walkFileTree(
        from,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes)
              throws IOException {
            Files.copy(folder, in(folder), StandardCopyOption.COPY_ATTRIBUTES);
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            Path copy = Files.copy(file, in(file), StandardCopyOption.COPY_ATTRIBUTES);
            try (FileChannel written = FileChannel.open(copy, StandardOpenOption.READ)) {
              written.force(false);
            }
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult postVisitDirectory(Path folder, @Nullable IOException failure)
              throws IOException {
            if (failure != null) {
              throw failure;
            }
            // Adding its content has changed its time.
            Files.setLastModifiedTime(in(folder), Files.getLastModifiedTime(folder));
            return FileVisitResult.CONTINUE;
          }

          private Path in(Path original) {
            return to.resolve(from.relativize(original));
          }
        });
  }

  /** Removes a folder with all its content, if it exists. */
  public static void remove(Path folder) throws IOException {
    if (!Files.exists(folder)) {
      return;
    }
    Files.walkFileTree(
        folder,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            Files.delete(file);
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult postVisitDirectory(Path emptied, @Nullable IOException failure)
              throws IOException {
            if (failure != null) {
              throw failure;
            }
            Files.delete(emptied);
            return FileVisitResult.CONTINUE;
          }
        });
  }
}
