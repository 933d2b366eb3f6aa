package org.keywell.loadgen.tls;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The size of a file to fetch.
 *
 * @param label such as {@code 64m}
 */
public record FileSize(String label, long bytes) {
  private static final Pattern FORM = Pattern.compile("([1-9][0-9]{0,5})([km])");
  private static final long MOST_BYTES = 512L << 20;

  /**
   * Reads a size.
   *
   * @throws IllegalArgumentException if it is not 1k to 512m
   */
  public static FileSize parse(String text) {
    Matcher size = FORM.matcher(text);
    if (!size.matches()) {
      throw new IllegalArgumentException("'%s' is no size; write 1k, 64m".formatted(text));
    }
    long bytes = Long.parseLong(size.group(1)) << (size.group(2).equals("k") ? 10 : 20);
    if (bytes > MOST_BYTES) {
      throw new IllegalArgumentException("'%s' is more than 512m".formatted(text));
    }
    return new FileSize(text, bytes);
  }

  /** Returns the path from which both servers serve the file. */
  String path() {
    return "/trial-files/test_" + label + ".html";
  }
}
