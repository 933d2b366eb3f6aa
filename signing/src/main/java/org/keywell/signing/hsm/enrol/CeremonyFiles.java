package org.keywell.signing.hsm.enrol;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;
import org.keywell.settings.StartRefusedException;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** Reads and writes the files that travel between tokens: JSON, nothing secret. */
final class CeremonyFiles {
  private static final int MAX_BYTES = 65_536;
  private static final JsonMapper JSON =
      JsonMapper.builder()
          .enable(
              DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES,
              DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES,
              DeserializationFeature.FAIL_ON_NULL_CREATOR_PROPERTIES)
          .enable(SerializationFeature.INDENT_OUTPUT)
          .build();

  private CeremonyFiles() {}

  /**
   * Returns a file's content.
   *
   * @throws StartRefusedException if it cannot be read, or is longer than 64 KiB
   */
  static byte[] read(Path file) {
    try {
      if (Files.size(file) > MAX_BYTES) {
        throw new StartRefusedException(file + " is too long for what it should be");
      }
      return Files.readAllBytes(file);
    } catch (IOException e) {
      throw new StartRefusedException("cannot read " + file, e);
    }
  }

  /**
   * Parses a file's content.
   *
   * @param file named in messages
   * @throws StartRefusedException if it is something else
   */
  static <T> T parse(Path file, byte[] content, Class<T> kind, String what) {
    @Nullable T parsed;
    try {
      parsed = JSON.readValue(content, kind);
    } catch (JacksonException e) {
      throw new StartRefusedException(file + " is not " + what, e);
    }
    // JSON has null.
    if (parsed == null) {
      throw new StartRefusedException(file + " is not " + what);
    }
    return parsed;
  }

  static byte[] json(Object content) {
    return JSON.writeValueAsBytes(content);
  }

  /**
   * Refuses an existing file, before anything is done.
   *
   * @throws StartRefusedException if it exists
   */
  static void requireNew(Path file) {
    if (Files.exists(file)) {
      throw new StartRefusedException(file + " exists already; it is not replaced");
    }
  }

  /** Writes a file that does not exist; leaves no partial one. */
  static void writeNew(Path file, byte[] content) {
    try {
      Files.write(file, content, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
    } catch (FileAlreadyExistsException e) {
      throw new UncheckedIOException("cannot write " + file, e);
    } catch (IOException e) {
      delete(file);
      throw new UncheckedIOException("cannot write " + file, e);
    }
  }

  /** Deletes a file that {@link #writeNew} wrote. */
  static void delete(Path file) {
    try {
      Files.deleteIfExists(file);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot delete " + file, e);
    }
  }
}
