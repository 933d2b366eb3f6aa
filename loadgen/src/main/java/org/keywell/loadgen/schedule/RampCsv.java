package org.keywell.loadgen.schedule;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads steps from lines of the form {@code from_request,to_request,delay_ms,requests_per_second},
 * with these words as the first line. Empty lines and lines that start with {@code #} are skipped.
 * The last column repeats the delay as a rate, for people: it may be empty, and otherwise must be
 * right within 1 %.
 */
public final class RampCsv {
  static final String HEADER = "from_request,to_request,delay_ms,requests_per_second";

  private static final BigDecimal NANOS_PER_MILLI = new BigDecimal(1_000_000);
  private static final BigDecimal LONGEST_DELAY_MILLIS = new BigDecimal(3_600_000);
  private static final double RATE_TOLERANCE = 0.01;

  private RampCsv() {}

  /**
   * Returns the steps that the lines describe.
   *
   * @throws RampFormatException naming the first line that is wrong
   */
  public static List<Step> parse(List<String> lines) throws RampFormatException {
    List<Step> steps = new ArrayList<>();
    boolean headed = false;
    for (int number = 1; number <= lines.size(); number++) {
      String line = lines.get(number - 1).strip();
      if (line.isEmpty() || line.startsWith("#")) {
        continue;
      }
      if (headed) {
        int expected = steps.isEmpty() ? 1 : steps.getLast().to() + 1;
        steps.add(step(number, line, expected));
      } else if (line.replace(" ", "").equals(HEADER)) {
        headed = true;
      } else {
        throw new RampFormatException(number, "the first line must be " + HEADER);
      }
    }
    if (steps.isEmpty()) {
      throw new RampFormatException(lines.size(), "there is no step");
    }
    return steps;
  }

  private static Step step(int number, String line, int expectedFrom) throws RampFormatException {
    String[] cells = line.split(",", -1);
    if (cells.length != 4) {
      throw new RampFormatException(number, "4 columns are needed, not " + cells.length);
    }
    int from = request(number, "from_request", cells[0].strip());
    int to = request(number, "to_request", cells[1].strip());
    if (from != expectedFrom) {
      throw new RampFormatException(
          number, "from_request must be %d, not %d".formatted(expectedFrom, from));
    }
    if (to < from) {
      throw new RampFormatException(
          number, "to_request %d is before from_request %d".formatted(to, from));
    }
    Step step = new Step(from, to, delayNanos(number, cells[2].strip()), false);
    checkRate(number, cells[3].strip(), step);
    return step;
  }

  private static int request(int number, String column, String cell) throws RampFormatException {
    try {
      int request = Integer.parseInt(cell);
      if (request >= 1 && request <= Schedule.MAX_REQUESTS) {
        return request;
      }
    } catch (NumberFormatException e) {
      // Reported below, like a number out of range.
    }
    throw new RampFormatException(
        number, "%s '%s' is not 1 to %d".formatted(column, cell, Schedule.MAX_REQUESTS));
  }

  private static long delayNanos(int number, String cell) throws RampFormatException {
    try {
      BigDecimal millis = new BigDecimal(cell);
      if (millis.compareTo(LONGEST_DELAY_MILLIS) <= 0) {
        long nanos = millis.multiply(NANOS_PER_MILLI).longValue();
        if (nanos >= 1_000) {
          return nanos;
        }
      }
    } catch (NumberFormatException e) {
      // Reported below, like a number out of range.
    }
    throw new RampFormatException(
        number,
        "delay_ms '%s' is not 0.001 to %s".formatted(cell, LONGEST_DELAY_MILLIS.toPlainString()));
  }

  private static void checkRate(int number, String cell, Step step) throws RampFormatException {
    if (cell.isEmpty()) {
      return;
    }
    double told;
    try {
      told = Double.parseDouble(cell);
    } catch (NumberFormatException e) {
      throw new RampFormatException(number, "requests_per_second '" + cell + "' is no number");
    }
    if (!(Math.abs(told - step.perSecond()) <= RATE_TOLERANCE * step.perSecond())) {
      throw new RampFormatException(
          number,
          "requests_per_second %s does not fit the delay, which makes %.2f"
              .formatted(cell, step.perSecond()));
    }
  }
}
