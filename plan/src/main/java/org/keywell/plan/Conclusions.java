package org.keywell.plan;

import static java.util.Comparator.comparingDouble;

import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.keywell.loadgen.text.TextTemplate;

/** Decides which sentences in {@code conclusions.txt} follow from a plan's figures. */
final class Conclusions {
  private static final TextTemplate SENTENCES =
      TextTemplate.resource("/org/keywell/plan/conclusions.txt");

  /** Above this, uneven requests wait noticeably: twice their mean service time and more. */
  private static final double LITTLE_RESERVE = 0.8;

  private static final double DAYS_PER_YEAR = 365;

  /**
   * The busiest hours, with or without the pool.
   *
   * @param growing whether a queue grows that is not full at their end
   * @param steady whether no queue grows
   * @param slow whether answers still take longer than allowed in normal hours
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

  static List<String> of(
      PlanInput input,
      Plan.Demand demand,
      Plan.BaseRates rates,
      List<Plan.Hours> hours,
      Plan.Loading loading,
      Plan.Pool pool,
      Plan.HsmCounts hsmCounts) {
    double normalMillis = Fleet.seconds(input.normalResponse()) * 1e3;
    double rate = demand.highestPerSecond();
    Plan.Hours busiest = Collections.max(hours, comparingDouble(Plan.Hours::ratePerSecond));
    @Nullable Double generating = pool.responseWhileGeneratingMillis();
    double daysOfAWeek = pool.idleHoursToFill() / Week.HOURS_PER_DAY + Week.DAYS;
    double weeks = Math.floor(DAYS_PER_YEAR / daysOfAWeek);
    Map<String, Object> figures = new HashMap<>();
    figures.put(
        "busiest",
        List.of(
            Busiest.of(
                false, rates.withoutPoolPerSecond(), rate, busiest.withoutPool(), normalMillis),
            Busiest.of(true, rates.withPoolPerSecond(), rate, busiest.withPool(), normalMillis)));
    figures.put("hsms", input.fleet().hsms());
    figures.put("several", input.fleet().hsms() > 1);
    figures.put("queueLimit", input.queueLimit());
    figures.put("normalLimitMillis", normalMillis);
    figures.put("generatingIsSlow", generating != null && generating > normalMillis);
    figures.put("weeksInAYear", weeks);
    figures.put("oneInAYear", weeks == 1);
    figures.put("demand", demand);
    figures.put("loading", loading);
    figures.put("pool", pool);
    figures.put("hsmCounts", hsmCounts);
    return SENTENCES.with(figures).lines().toList();
  }
}
