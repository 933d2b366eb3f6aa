package org.keywell.dss;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Content with a name.
 *
 * @param name a file name without directories; signatures that refer to their content, as in a
 *     container, use it
 * @param content not copied; must not be changed
 */
public record Document(String name, byte[] content) {

  public Document {
    if (name.isBlank() || name.contains("/") || name.contains("\\")) {
      throw new IllegalArgumentException(
          "a document's name is that of a file, not a path: " + name);
    }
  }

  /** Reads a file's content, under the file's name. */
  public static Document read(Path file) throws IOException {
    return new Document(String.valueOf(file.getFileName()), Files.readAllBytes(file));
  }

  @Override
  public String toString() {
    return "Document[name=%s, %s bytes]".formatted(name, content.length);
  }
}
