package org.keywell.cli;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.keywell.dss.Document;
import picocli.CommandLine.Option;

/** The password of an encrypted PDF: from a file, since others can read a command line. */
final class PasswordOption {
  private static final int MOST_BYTES = 1024;

  @Option(
      names = "--password-file",
      paramLabel = "FILE",
      description =
          "A file whose first line is the password that opens the PDF, the user's or the owner's. The"
              + " result has the same passwords.")
  private @Nullable Path file;

  boolean isGiven() {
    return file != null;
  }

  /**
   * Returns the document, to be opened by the password if there is one.
   *
   * @throws CommandFailedException if the file holds none
   */
  Document opening(Document document) throws IOException, CommandFailedException {
    return file == null ? document : document.withPassword(first(file));
  }

  private static String first(Path file) throws IOException, CommandFailedException {
    byte[] content;
    try (InputStream in = Files.newInputStream(file)) {
      content = in.readNBytes(MOST_BYTES + 1);
    }
    try {
      String line =
          StandardCharsets.UTF_8
              .newDecoder()
              .decode(ByteBuffer.wrap(content))
              .toString()
              .split("\\R", 2)[0];
      if (!line.isEmpty() && content.length <= MOST_BYTES) {
        return line;
      }
    } catch (CharacterCodingException e) {
      throw unusable(file);
    }
    throw unusable(file);
  }

  private static CommandFailedException unusable(Path file) {
    return CommandFailedException.unusable(
        "--password-file: the first line of %s is not a password in UTF-8, or the file is larger than %s bytes"
            .formatted(file, MOST_BYTES),
        null);
  }
}
