package org.keywell.ca.token;

import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The labels of keys that follow each other: the first has the configured label, later ones a
 * number after it, such as {@code keywell-issuing~2}.
 */
public final class CaKeyLabels {
  static final int LAST = 99;

  private static final Pattern NUMBER = Pattern.compile("~([2-9]|[1-9][0-9])");

  private CaKeyLabels() {}

  /** Returns that of a generation, from 1 to {@link #LAST}. */
  static String of(String first, int generation) {
    return generation == 1 ? first : first + "~" + generation;
  }

  /** Returns the generation of a key with this label; 0 if it does not follow the first. */
  static int generation(String first, String label) {
    if (!label.startsWith(first)) {
      return 0;
    }
    Matcher number = NUMBER.matcher(label.substring(first.length()));
    return number.matches() ? Integer.parseInt(number.group(1)) : label.equals(first) ? 1 : 0;
  }

  /** Returns the labels of all generations. */
  public static Set<String> all(String first) {
    return IntStream.rangeClosed(1, LAST)
        .mapToObj(generation -> of(first, generation))
        .collect(Collectors.toUnmodifiableSet());
  }
}
