package org.keywell.plan;

import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads hours of a day and days of a week from ranges such as {@code 8-12,13-17} or {@code
 * mon-fri,sun}. The message of an {@link IllegalArgumentException} says what is wrong and follows
 * the name of a setting.
 */
final class Ranges {
  /** The names of a week's days. */
  static final List<String> DAYS = List.of("mon", "tue", "wed", "thu", "fri", "sat", "sun");

  private static final Pattern HOURS = Pattern.compile("(\\d{1,2})-(\\d{1,2})");

  /** From first to last, both inclusive. */
  private record Range(int first, int last) {
    static final Range NONE = new Range(0, -1);
  }

  private Ranges() {}

  /** Reads hours; a range such as 8-16 ends at 16:00. Hour 0 is the one after midnight. */
  static SortedSet<Integer> hours(String text) {
    return read(
        text,
        Week.HOURS_PER_DAY,
        "hours such as 8-16 or 8-12,13-17, from 0 until 24",
        part -> {
          Matcher range = HOURS.matcher(part);
          return range.matches()
              ? new Range(Integer.parseInt(range.group(1)), Integer.parseInt(range.group(2)) - 1)
              : Range.NONE;
        });
  }

  /** Reads days, 0 for Monday. */
  static SortedSet<Integer> days(String text) {
    return read(
        text,
        Week.DAYS,
        "days such as mon-fri or mon,wed,sun",
        part -> {
          String[] ends = part.split("-", -1);
          return ends.length > 2
              ? Range.NONE
              : new Range(DAYS.indexOf(ends[0]), DAYS.indexOf(ends[ends.length - 1]));
        });
  }

  private static SortedSet<Integer> read(
      String text, int end, String form, Function<String, Range> reader) {
    SortedSet<Integer> all = new TreeSet<>();
    for (String part : text.split(",", -1)) {
      Range range = reader.apply(part.strip());
      if (range.first() < 0 || range.last() < range.first() || range.last() >= end) {
        throw new IllegalArgumentException("is " + form + ", not '" + text + "'");
      }
      for (int each = range.first(); each <= range.last(); each++) {
        all.add(each);
      }
    }
    return all;
  }
}
