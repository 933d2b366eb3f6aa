package org.keywell.loadgen.text;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** Texts that are part of the program. */
public final class Resource {
  private Resource() {}

  /**
   * Returns the text, with only a line feed at each line's end.
   *
   * @param path from the class path's root, with a leading slash
   * @throws IllegalStateException if it is missing
   */
  public static String text(String path) {
    try (InputStream in = Resource.class.getResourceAsStream(path)) {
      if (in == null) {
        throw new IllegalStateException("the program lacks its resource " + path);
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8).replace("\r\n", "\n");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
