package org.keywell.plan;

import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Hours of a day: 0 is the one from midnight to 1 o'clock, 23 the last.
 *
 * @param hours each 0 to 23
 */
record HoursOfDay(SortedSet<Integer> hours) {
  private static final Pattern RANGE = Pattern.compile("(\\d{1,2})-(\\d{1,2})");

  /**
   * Reads ranges such as {@code 8-12,13-17}, each from one o'clock until another.
   *
   * @throws IllegalArgumentException telling what is wrong, to follow the setting's name
   */
  static HoursOfDay parse(String text) {
    SortedSet<Integer> hours = new TreeSet<>();
    for (String part : text.split(",", -1)) {
      Matcher range = RANGE.matcher(part.strip());
      int from = range.matches() ? Integer.parseInt(range.group(1)) : 0;
      int until = range.matches() ? Integer.parseInt(range.group(2)) : 0;
      if (from >= until || until > Week.HOURS_PER_DAY) {
        throw new IllegalArgumentException(
            "is hours such as 8-16 or 8-12,13-17, from 0 until 24, not '" + text + "'");
      }
      for (int hour = from; hour < until; hour++) {
        hours.add(hour);
      }
    }
    return new HoursOfDay(hours);
  }

  /**
   * So many hours from the middle of these.
   *
   * @throws IllegalArgumentException if there are fewer, to follow the setting's name
   */
  HoursOfDay middle(int count) {
    if (count > hours.size()) {
      throw new IllegalArgumentException(
          "is at most as many as there are business hours, %d, not '%d'"
              .formatted(hours.size(), count));
    }
    int from = (hours.size() - count) / 2;
    return new HoursOfDay(new TreeSet<>(List.copyOf(hours).subList(from, from + count)));
  }

  boolean contains(int hour) {
    return hours.contains(hour);
  }
}
