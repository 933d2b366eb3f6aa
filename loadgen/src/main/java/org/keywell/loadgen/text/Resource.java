package org.keywell.loadgen.text;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** Texts that come with the program. */
public final class Resource {
  private Resource() {}

  /**
   * The text, with a line feed alone at each line's end.
   *
   * @param path from the class path's root, with a slash before it
   * @throws IllegalStateException if it is not there
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
