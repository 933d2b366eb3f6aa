package org.keywell.standalone;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Set;

/**
 * Creates files and directories that only their owner can read (modes 0600 and 0700). Existing ones
 * keep their mode, except in {@link #close}.
 */
public final class PrivateFiles {

  private static final int SECRET_BYTES = 16;

  private PrivateFiles() {}

  /** Creates the directory and its parents if they do not exist. */
  public static Path directory(Path directory) throws IOException {
    return Files.isDirectory(directory)
        ? directory
        : Files.createDirectories(
            directory,
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
  }

  /**
   * Whether others may create files in the directory, as in {@code /tmp}: its content could be
   * theirs.
   */
  static boolean isWritableByOthers(Path directory) throws IOException {
    Set<PosixFilePermission> mode = Files.getPosixFilePermissions(directory);
    return mode.contains(PosixFilePermission.GROUP_WRITE)
        || mode.contains(PosixFilePermission.OTHERS_WRITE);
  }

  /** Revokes access to the directory for all but its owner. */
  static void close(Path directory) throws IOException {
    Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwx------"));
  }

  /** Reads the secret from the file; creates the file with a random one if it does not exist. */
  public static String secret(Path file) throws IOException {
    if (!Files.exists(file)) {
      byte[] random = new byte[SECRET_BYTES];
      new SecureRandom().nextBytes(random);
      // All or nothing: a crash must not leave an empty secret. Temporary files are 0600.
      Path whole = Files.createTempFile(file.toAbsolutePath().getParent(), ".secret", "");
      Files.writeString(whole, HexFormat.of().formatHex(random));
      Files.move(whole, file, StandardCopyOption.ATOMIC_MOVE);
    }
    return Files.readString(file, StandardCharsets.UTF_8).strip();
  }
}
