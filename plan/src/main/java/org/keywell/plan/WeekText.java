package org.keywell.plan;

import java.util.Arrays;
import java.util.List;
import tools.jackson.databind.JsonNode;

/**
 * Reads a week's rates, per second. In JSON they are an object with the keys mon to sun, each a
 * list of 24. In CSV they are lines of the form {@code hour,mon,tue,wed,thu,fri,sat,sun}, with
 * these words as the first line and the hours 0 to 23 in order; empty lines and lines that start
 * with {@code #} are skipped.
 */
final class WeekText {
  private static final String HEADER = "hour," + String.join(",", Ranges.DAYS);

  private final double[] ratesPerSecond = new double[Week.HOURS];

  private WeekText() {}

  static Week ofCsv(List<String> lines) throws PlanFormatException {
    WeekText text = new WeekText();
    int hour = -1; // the header comes first
    for (int number = 1; number <= lines.size(); number++) {
      String line = lines.get(number - 1).strip();
      if (line.isEmpty() || line.startsWith("#")) {
        continue;
      }
      String place = "line " + number + ": ";
      if (hour < 0) {
        check(line.replace(" ", "").equals(HEADER), place + "the first line must be " + HEADER);
      } else {
        text.readHour(place, hour, line.split(",", -1));
      }
      hour++;
    }
    check(hour == Week.HOURS_PER_DAY, "line " + lines.size() + ": there are not 24 hours");
    return text.week();
  }

  private void readHour(String place, int hour, String[] cells) throws PlanFormatException {
    check(hour < Week.HOURS_PER_DAY, place + "there are more than 24 hours");
    check(cells.length == 1 + Week.DAYS, place + "8 columns are needed, not " + cells.length);
    String told = cells[0].strip();
    check(
        told.equals(String.valueOf(hour)),
        place + "hour must be %d, not '%s'".formatted(hour, told));
    for (int day = 0; day < Week.DAYS; day++) {
      String cell = cells[1 + day].strip();
      put(day, hour, cell, place + Ranges.DAYS.get(day) + " '" + cell + "'");
    }
  }

  static Week ofJson(JsonNode days) throws PlanFormatException {
    WeekText text = new WeekText();
    check(
        days.isObject() && days.size() == Week.DAYS,
        "a week has the keys mon to sun and no others");
    for (int day = 0; day < Week.DAYS; day++) {
      String name = Ranges.DAYS.get(day);
      JsonNode hours = days.path(name);
      check(
          hours.isArray() && hours.size() == Week.HOURS_PER_DAY,
          name + " is not a list of 24 rates");
      for (int hour = 0; hour < Week.HOURS_PER_DAY; hour++) {
        JsonNode cell = hours.get(hour);
        String rate = cell.isNumber() ? cell.toString() : "";
        text.put(day, hour, rate, "%s, hour %d: %s".formatted(name, hour, cell));
      }
    }
    return text.week();
  }

  private void put(int day, int hour, String cell, String place) throws PlanFormatException {
    double rate;
    try {
      rate = Double.parseDouble(cell);
    } catch (NumberFormatException e) {
      rate = Double.NaN;
    }
    check(
        rate >= 0 && rate <= Week.MAX_RATE,
        "%s is not a rate from 0 to %.0f".formatted(place, Week.MAX_RATE));
    ratesPerSecond[day * Week.HOURS_PER_DAY + hour] = rate;
  }

  private Week week() throws PlanFormatException {
    check(Arrays.stream(ratesPerSecond).anyMatch(rate -> rate > 0), "all rates of the week are 0");
    return Week.ofRates(ratesPerSecond);
  }

  private static void check(boolean right, String problem) throws PlanFormatException {
    if (!right) {
      throw new PlanFormatException(problem);
    }
  }
}
