package org.keywell.signing.record.archive;

import java.io.BufferedOutputStream;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;

/** A file of lines, compressed. It is written once and then read back. */
final class RecordLines implements AutoCloseable {

  private final Path file;
  private final OutputStream out;
  private final MessageDigest written = sha256();
  private long lines;

  RecordLines(Path file) throws IOException {
    this.file = file;
    this.out = new BufferedOutputStream(new GZIPOutputStream(Files.newOutputStream(file), 1 << 16));
  }

  void add(String line) throws IOException {
    byte[] bytes = (line + "\n").getBytes(StandardCharsets.UTF_8);
    written.update(bytes);
    out.write(bytes);
    lines++;
  }

  long lines() {
    return lines;
  }

  @Override
  public void close() throws IOException {
    out.close();
  }

  /**
   * Reads the closed file back.
   *
   * @return the hash of the file
   * @throws ArchiveFailedException if it does not have the lines that were written
   */
  byte[] verified() throws IOException {
    WholeFile.sync(file);
    MessageDigest found = sha256();
    MessageDigest compressed = sha256();
    long count = 0;
    try (DigestInputStream in = new DigestInputStream(Files.newInputStream(file), compressed);
        BufferedReader reader =
            new BufferedReader(
                new InputStreamReader(new GZIPInputStream(in), StandardCharsets.UTF_8))) {
      for (String line = reader.readLine(); line != null; line = reader.readLine()) {
        found.update((line + "\n").getBytes(StandardCharsets.UTF_8));
        count++;
      }
    }
    if (count != lines || !MessageDigest.isEqual(found.digest(), written.digest())) {
      throw new ArchiveFailedException(file + " does not have what was written to it");
    }
    return compressed.digest();
  }

  static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}
