package org.keywell.settings;

import java.time.Duration;
import org.springframework.boot.convert.DurationStyle;

/** Refuses settings that are out of bounds, with an {@link IllegalArgumentException} by name. */
final class Bounds {

  private Bounds() {}

  static void require(String name, int value, int least, int most) {
    require(value >= least && value <= most, name, value, least + "-" + most);
  }

  /**
   * Requires a time within bounds.
   *
   * @param least as in settings, such as 10s
   */
  static void require(String name, Duration value, String least, String most) {
    require(
        value.compareTo(DurationStyle.detectAndParse(least)) >= 0
            && value.compareTo(DurationStyle.detectAndParse(most)) <= 0,
        name,
        value,
        least + "-" + most);
  }

  static void require(boolean holds, String name, Object value, String expected) {
    if (!holds) {
      throw new IllegalArgumentException(name + " is " + value + ", expected " + expected);
    }
  }
}
