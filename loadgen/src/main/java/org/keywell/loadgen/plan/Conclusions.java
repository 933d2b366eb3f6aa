package org.keywell.loadgen.plan;

import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.keywell.loadgen.text.TextTemplate;

/** Which of the sentences in {@code conclusions.txt} follow from a plan's figures. */
final class Conclusions {
  private static final TextTemplate SENTENCES =
      TextTemplate.resource("/org/keywell/loadgen/plan/conclusions.txt");

  /** From here on uneven requests wait noticeably: twice their mean service time and more. */
  private static final double LITTLE_RESERVE = 0.8;

  private static final double DAYS_PER_YEAR = 365;

  /**
   * The busiest hours, with the pool or without.
   *
   * @param growing whether a queue grows that is not full at their end
   * @param steady whether no queue grows
   * @param slow whether answers take longer than in normal hours allowed all the same
   */
  private record Busiest(
      boolean pooled,
      double baseRatePerSecond,
      double ratePerSecond,
      QueueFigures queue,
      boolean growing,
      boolean steady,
      boolean slow,
      boolean littleReserve,
      boolean allUsed) {

    static Busiest of(
        boolean pooled, double baseRate, double rate, QueueFigures queue, double normalMillis) {
      boolean full = queue.secondsUntilQueueFull() != null;
      boolean growing = !full && queue.queueLength() > 0;
      return new Busiest(
          pooled,
          baseRate,
          rate,
          queue,
          growing,
          !full && !growing,
          queue.longestResponseMillis() > normalMillis,
          queue.utilisation() > LITTLE_RESERVE,
          queue.utilisation() >= 1);
    }
  }

  private Conclusions() {}

  /** Those of a plan, whatever its own conclusions are. */
  static List<String> of(Plan plan, PlanInput input) {
    double normalMillis = Device.seconds(input.limits().normalResponse()) * 1e3;
    Plan.Hours hours =
        plan.hours().stream()
            .max(Comparator.comparingDouble(Plan.Hours::ratePerSecond))
            .orElseThrow();
    double rate = plan.demand().highestPerSecond();
    Plan.BaseRates rates = plan.baseRates();
    @Nullable Double generating = plan.pool().responseWhileGeneratingMillis();
    double daysOfAWeek = plan.pool().idleHoursToFill() / Week.HOURS_PER_DAY + Week.DAYS;
    double weeks = Math.floor(DAYS_PER_YEAR / daysOfAWeek);
    Map<String, Object> figures = new HashMap<>();
    figures.put(
        "busiest",
        List.of(
            Busiest.of(
                false, rates.withoutPoolPerSecond(), rate, hours.withoutPool(), normalMillis),
            Busiest.of(true, rates.withPoolPerSecond(), rate, hours.withPool(), normalMillis)));
    figures.put("hsms", input.hsms());
    figures.put("several", input.hsms() > 1);
    figures.put("queueLimit", input.limits().queue());
    figures.put("normalLimitMillis", normalMillis);
    figures.put("generatingIsSlow", generating != null && generating > normalMillis);
    figures.put("weeksInAYear", weeks);
    figures.put("oneInAYear", weeks == 1);
    figures.put("demand", plan.demand());
    figures.put("loading", plan.loading());
    figures.put("pool", plan.pool());
    figures.put("hsmCounts", plan.hsmCounts());
    return SENTENCES.with(figures).lines().toList();
  }
}
