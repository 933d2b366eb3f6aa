package org.keywell.plan;

import java.util.List;

/**
 * Reads the rates of a week from lines of the form {@code hour,mon,tue,wed,thu,fri,sat,sun}, with
 * these words as the first line, and the hours 0 to 23 in order. Empty lines and lines that begin
 * with {@code #} are skipped.
 */
final class WeekCsv {
  private static final String HEADER = "hour," + String.join(",", Weekdays.NAMES);

  private WeekCsv() {}

  static Week parse(List<String> lines) throws PlanFormatException {
    double[] rates = new double[Week.HOURS];
    int hour = -1; // the header comes first
    for (int number = 1; number <= lines.size(); number++) {
      String line = lines.get(number - 1).strip();
      if (line.isEmpty() || line.startsWith("#")) {
        continue;
      }
      if (hour < 0) {
        check(line.replace(" ", "").equals(HEADER), number, "the first line must be " + HEADER);
      } else {
        readHour(number, hour, line.split(",", -1), rates);
      }
      hour++;
    }
    check(hour == Week.HOURS_PER_DAY, lines.size(), "there are not 24 hours");
    return WeekRates.week(rates);
  }

  private static void readHour(int number, int hour, String[] cells, double[] rates)
      throws PlanFormatException {
    check(hour < Week.HOURS_PER_DAY, number, "there are more than 24 hours");
    check(cells.length == 1 + Week.DAYS, number, "8 columns are needed, not " + cells.length);
    check(
        cells[0].strip().equals(String.valueOf(hour)),
        number,
        "hour must be %d, not '%s'".formatted(hour, cells[0].strip()));
    for (int day = 0; day < Week.DAYS; day++) {
      String cell = cells[1 + day].strip();
      double rate = WeekRates.rate(cell);
      check(
          !Double.isNaN(rate),
          number,
          "%s '%s' is not a rate from 0 to %.0f"
              .formatted(Weekdays.NAMES.get(day), cell, Week.MAX_RATE));
      rates[day * Week.HOURS_PER_DAY + hour] = rate;
    }
  }

  private static void check(boolean right, int number, String problem) throws PlanFormatException {
    if (!right) {
      throw new PlanFormatException("line " + number + ": " + problem);
    }
  }
}
