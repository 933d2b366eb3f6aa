package org.keywell.cli.log;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Those who may read an original: nobody else may read what is made of it, from the moment its file
 * exists. The umask narrows this further. Where files have no POSIX permissions, nothing is done.
 */
public record OriginalReaders(Path original) {

  /**
   * Creates an empty file.
   *
   * @throws java.nio.file.FileAlreadyExistsException if it exists
   */
  public Path create(Path file) throws IOException {
    PosixFileAttributes limit = attributes(original);
    if (limit == null || !file.getFileSystem().equals(original.getFileSystem())) {
      return Files.createFile(file);
    }
    Files.createFile(
        file, PosixFilePermissions.asFileAttribute(withoutExecution(limit.permissions())));
    PosixFileAttributes made = attributes(file);
    if (made != null && !made.group().equals(limit.group())) {
      Files.setPosixFilePermissions(file, asOthers(made.permissions()));
    }
    return file;
  }

  private static @Nullable PosixFileAttributes attributes(Path path) throws IOException {
    PosixFileAttributeView view = Files.getFileAttributeView(path, PosixFileAttributeView.class);
    return view == null ? null : view.readAttributes();
  }

  private static Set<PosixFilePermission> withoutExecution(Set<PosixFilePermission> original) {
    Set<PosixFilePermission> permissions =
        EnumSet.of(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE);
    permissions.addAll(original);
    permissions.removeAll(
        EnumSet.of(
            PosixFilePermission.OWNER_EXECUTE,
            PosixFilePermission.GROUP_EXECUTE,
            PosixFilePermission.OTHERS_EXECUTE));
    return permissions;
  }

  /** The file's group is not the original's: its members are like all others. */
  private static Set<PosixFilePermission> asOthers(Set<PosixFilePermission> permissions) {
    Set<PosixFilePermission> narrower = EnumSet.copyOf(permissions);
    if (!permissions.contains(PosixFilePermission.OTHERS_READ)) {
      narrower.remove(PosixFilePermission.GROUP_READ);
    }
    narrower.remove(PosixFilePermission.GROUP_WRITE);
    return narrower;
  }
}
