package org.keywell.dss;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Content under a name.
 *
 * @param name a file's name, without directories; signatures that refer to their content, as in a
 *     container, do so by it
 * @param content not copied; nobody changes it
 */
public record Document(String name, byte[] content) {

  public Document {
    if (name.isBlank() || name.contains("/") || name.contains("\\")) {
      throw new IllegalArgumentException(
          "a document's name is that of a file, not a path: " + name);
    }
  }

  /** A file's content under its name. */
  public static Document read(Path file) throws IOException {
    return new Document(String.valueOf(file.getFileName()), Files.readAllBytes(file));
  }

  @Override
  public String toString() {
    return "Document[name=%s, %d bytes]".formatted(name, content.length);
  }
}
