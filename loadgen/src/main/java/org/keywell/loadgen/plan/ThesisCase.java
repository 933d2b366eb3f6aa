package org.keywell.loadgen.plan;

import static org.keywell.loadgen.text.Quantity.count;
import static org.keywell.loadgen.text.Quantity.hsms;
import static org.keywell.loadgen.text.Quantity.megabytes;
import static org.keywell.loadgen.text.Quantity.number;
import static org.keywell.loadgen.text.Quantity.time;

import java.util.List;

/**
 * The thesis's statement that one HSM with a pool does what would take "approximately 9" without
 * one (abstract, sections 1.3 and 1.9), set against the plan for its case.
 */
public final class ThesisCase {
  private static final int HSMS = 9;

  /** "around 2 signing processes (key generation + signing) per second", section 1.9. */
  private static final double AROUND_TWO_PER_SECOND = 2;

  private static final int PEAK_SECONDS = 2 * 3_600;
  private static final int SECONDS_PER_HOUR = 3_600;

  private ThesisCase() {}

  /**
   * How its figures come about, a paragraph each.
   *
   * @param plan that of {@link PlanSettings#DEFAULTS}
   */
  public static List<String> paragraphs(Plan plan) {
    return List.of(nine(plan), one(plan), sixMillion(plan));
  }

  private static String nine(Plan plan) {
    double mean = plan.demand().meanPerSecond();
    double clearedPerSecond = HSMS * AROUND_TWO_PER_SECOND;
    double waiting = (plan.demand().highestPerSecond() - clearedPerSecond) * PEAK_SECONDS;
    return ("\"Approximately 9\" HSMs without a pool is the mean rate, (2 x 50 + 6 x 25 + 16 x"
            + " 12.5) / 24 = %s/s, at \"around 2\" a second for each: %s. They clear a day, not its"
            + " peak: at its end %s requests wait, for up to %s. Measured times, 693 ms for a"
            + " request, make it %d for the mean and %d for the peak.")
        .formatted(
            number(mean),
            number(mean / AROUND_TWO_PER_SECOND),
            count(waiting),
            time(waiting / clearedPerSecond),
            plan.hsmCounts().withoutPoolForMean(),
            plan.hsmCounts().withoutPoolForPeak());
  }

  private static String one(Plan plan) {
    Plan.Pool pool = plan.pool();
    Plan.HsmCounts counts = plan.hsmCounts();
    return ("\"1\" with a pool is right for signing: 50/s x 20 ms is all of its one lane. It is"
            + " right for keys if %s (%s) were made in %s before the week, and come into memory as fast"
            + " as they are used: that takes %d unwrap lanes, or %s with one each. Week after"
            + " week, it takes %s.")
        .formatted(
            count(pool.keysNeeded()),
            megabytes(pool.storageMegabytes()),
            time(pool.idleHoursToFill() * SECONDS_PER_HOUR),
            plan.loading().unwrapLanesNeeded(),
            hsms(counts.forLoading()),
            hsms(counts.forEver().hsms()));
  }

  private static String sixMillion(Plan plan) {
    double businessHours = 7 * (2 * 50 + 6 * 25) * (double) SECONDS_PER_HOUR;
    return "\"Over 6 million\" a week are the business hours alone, %s; all hours make %s."
        .formatted(count(businessHours), count(plan.demand().weekKeys()));
  }
}
