package org.keywell.plan;

import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/** Days of the week by their names, Monday first. */
final class Weekdays {
  static final List<String> NAMES = List.of("mon", "tue", "wed", "thu", "fri", "sat", "sun");

  private Weekdays() {}

  /**
   * Reads days such as {@code mon-fri} or {@code mon,wed}.
   *
   * @return the days' indexes, 0 for Monday
   * @throws IllegalArgumentException telling what is wrong, to follow the setting's name
   */
  static SortedSet<Integer> parse(String text) {
    SortedSet<Integer> days = new TreeSet<>();
    for (String part : text.split(",", -1)) {
      String[] ends = part.strip().split("-", -1);
      int first = NAMES.indexOf(ends[0]);
      int last = NAMES.indexOf(ends[ends.length - 1]);
      if (first < 0 || last < first || ends.length > 2) {
        throw new IllegalArgumentException(
            "is days such as mon-fri or mon,wed,sun, not '" + text + "'");
      }
      for (int day = first; day <= last; day++) {
        days.add(day);
      }
    }
    return days;
  }
}
