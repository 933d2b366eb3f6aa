package org.keywell.dss;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Content with a name.
 *
 * @param name a file name without directories; signatures that refer to their content, as in a
 *     container, use it
 * @param content not copied; must not be changed
 * @param password that opens an encrypted PDF, its user's or its owner's; null if it needs none.
 *     Other documents ignore it
 */
public record Document(String name, byte[] content, @Nullable String password) {

  public Document {
    if (name.isBlank() || name.contains("/") || name.contains("\\")) {
      throw new IllegalArgumentException(
          "a document's name is that of a file, not a path: " + name);
    }
  }

  /** Creates one that no password protects. */
  public Document(String name, byte[] content) {
    this(name, content, null);
  }

  /** Returns the same document, to be opened by a password. */
  public Document withPassword(String opening) {
    return new Document(name, content, opening);
  }

  /** Returns other content that the same password opens. */
  Document with(byte[] other) {
    return new Document(name, other, password);
  }

  /** Returns the password as PDFBox takes it. */
  String passwordOrNone() {
    return password == null ? "" : password;
  }

  /** Returns the password as DSS takes it. */
  char @Nullable [] passwordCharacters() {
    return password == null ? null : password.toCharArray();
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
