package org.keywell.loadgen.schedule;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.keywell.loadgen.text.Resource;

/** The thesis's Table 4-1: a rate that climbs to 100 requests per second and falls again. */
public final class ThesisRamp {
  private static final String TABLE = "/org/keywell/loadgen/schedule/table-4-1-rate-ramp.csv";

  /**
   * The rest of the descent, which is not printed. It mirrors the climb and includes the one 100 ms
   * step that the climb omits (900 ms): only with it are there the 3,000 requests that the thesis
   * mentions.
   */
  private static final int[] INFERRED_DELAYS_MILLIS = {300, 400, 500, 600, 700, 800, 900, 1000};

  private static final int REQUESTS_PER_STEP = 100;

  private ThesisRamp() {}

  /** Returns the table as printed: 22 steps, 2,200 requests, 553 s. */
  public static Schedule printed() {
    return Schedule.of("Table 4-1 as printed", printedSteps());
  }

  /** Returns the table with its inferred descent: 30 steps, 3,000 requests, 1,073 s. */
  public static Schedule full() {
    List<Step> steps = new ArrayList<>(printedSteps());
    for (int millis : INFERRED_DELAYS_MILLIS) {
      int from = steps.getLast().to() + 1;
      steps.add(
          new Step(
              from, from + REQUESTS_PER_STEP - 1, TimeUnit.MILLISECONDS.toNanos(millis), true));
    }
    return Schedule.of("Table 4-1 with its inferred descent", steps);
  }

  private static List<Step> printedSteps() {
    try {
      return RampCsv.parse(Resource.text(TABLE).lines().toList());
    } catch (RampFormatException e) {
      throw new IllegalStateException(TABLE + ": " + e.getMessage(), e);
    }
  }
}
