package org.keywell.cli;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import org.jspecify.annotations.Nullable;

/**
 * The two files that belong to a signed file. They appear whole or not at all, and the signature
 * last: where there is a signature, its chain is there, too.
 */
record SignedFile(Path signature, Path chain) {

  /** The results' paths: beside the file, or in {@code dir} if that is given. */
  static SignedFile of(Path file, @Nullable Path dir) {
    Path parent = dir != null ? dir : file.getParent();
    Path name = file.getFileName();
    if (name == null) {
      throw new IllegalArgumentException(file + " has no name");
    }
    return new SignedFile(sibling(parent, name + ".sig"), sibling(parent, name + ".chain.pem"));
  }

  private static Path sibling(@Nullable Path parent, String name) {
    return parent == null ? Path.of(name) : parent.resolve(name);
  }

  void requireAbsent() throws CommandFailedException {
    for (Path path : new Path[] {signature, chain}) {
      if (Files.exists(path)) {
        throw new CommandFailedException(path + " exists already; --force replaces it");
      }
    }
  }

  void write(byte[] signatureBytes, String chainPem) throws IOException {
    Path newChain = null;
    Path newSignature = null;
    try {
      newChain = writeBeside(chain, chainPem.getBytes(StandardCharsets.US_ASCII));
      newSignature = writeBeside(signature, signatureBytes);
      // An old signature must not stand beside the new chain, should the next moves fail.
      Files.deleteIfExists(signature);
      move(newChain, chain);
      move(newSignature, signature);
    } finally {
      deleteIfLeft(newChain);
      deleteIfLeft(newSignature);
    }
  }

  private static Path writeBeside(Path target, byte[] content) throws IOException {
    Path dir = target.toAbsolutePath().getParent();
    Path temporary = Files.createTempFile(dir, ".keywell-", ".tmp");
    try {
      Files.write(temporary, content);
      makeReadable(temporary);
    } catch (IOException e) {
      deleteIfLeft(temporary);
      throw e;
    }
    return temporary;
  }

  /** Temporary files are private to their owner; signatures and certificates are for everybody. */
  private static void makeReadable(Path path) throws IOException {
    if (path.getFileSystem().supportedFileAttributeViews().contains("posix")) {
      Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rw-r--r--"));
    }
  }

  private static void move(Path from, Path to) throws IOException {
    Files.move(from, to, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }

  private static void deleteIfLeft(@Nullable Path temporary) throws IOException {
    if (temporary != null) {
      Files.deleteIfExists(temporary);
    }
  }
}
