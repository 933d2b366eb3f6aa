package org.keywell.plan;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Computes plans. */
public final class Planner {

  private Planner() {}

  /**
   * Returns the plan for some settings.
   *
   * @throws PlanInputException naming the first setting that cannot be used
   */
  public static Plan plan(PlanSettings settings) throws PlanInputException {
    PlanInput input = settings.resolve();
    Week week = input.week();
    Fleet fleet = input.fleet();
    KeyBalance stored = KeyBalance.ofStoredKeys(week, fleet);
    Plan.Demand demand = demand(week);
    Plan.BaseRates rates = baseRates(week, fleet);
    List<Plan.Hours> hours = hours(input);
    Plan.Loading loading = loading(week, fleet);
    Plan.Pool pool = pool(input, stored);
    Plan.HsmCounts counts = HsmSearch.counts(input);
    return new Plan(
        Plan.SCHEMA_VERSION,
        settings.values(),
        settings.effective().stream()
            .filter(setting -> !settings.isGiven(setting))
            .map(Setting::key)
            .toList(),
        demand,
        rates,
        hours,
        loading,
        pool,
        counts,
        course(week, fleet, stored),
        Conclusions.of(input, demand, rates, hours, loading, pool, counts));
  }

  private static Plan.Demand demand(Week week) {
    return new Plan.Demand(
        week.meanPerSecond(),
        week.highestPerSecond(),
        week.mostRequestsInADay(HourKind.PEAK),
        week.requestsOnBusiestDay(),
        week.requests());
  }

  private static Plan.BaseRates baseRates(Week week, Fleet fleet) {
    double onTheFly = fleet.baseRateOnTheFlyPerSecond();
    double withPool = fleet.baseRateWithPoolPerSecond();
    return new Plan.BaseRates(
        onTheFly, withPool, week.highestPerSecond() / onTheFly, week.highestPerSecond() / withPool);
  }

  private static List<Plan.Hours> hours(PlanInput input) {
    List<Plan.Hours> all = new ArrayList<>();
    for (HourKind kind : HourKind.values()) {
      int count = input.week().count(kind);
      if (count == 0) {
        continue;
      }
      Duration stretch = Duration.ofHours(input.week().longestStretchHours(kind));
      double rate = input.week().highestPerSecond(kind);
      Duration limit = input.responseLimit(kind);
      Duration generation = input.fleet().device().generation();
      all.add(
          new Plan.Hours(
              kind.label(),
              count,
              (int) stretch.toHours(),
              rate,
              Fleet.seconds(limit) * 1e3,
              QueueFigures.of(input, generation, rate, stretch, limit),
              QueueFigures.of(input, Duration.ZERO, rate, stretch, limit)));
    }
    return all;
  }

  private static Plan.Loading loading(Week week, Fleet fleet) {
    double loaded = fleet.loadedPerSecond(fleet.device().unwrapLanes());
    long capacity = fleet.loadedKeyCapacity();
    double deficit = week.highestPerSecond() - loaded;
    return new Plan.Loading(
        Double.isInfinite(loaded) ? null : loaded,
        capacity,
        deficit > 0 ? capacity / deficit : null,
        week.mostRequestsInADay(HourKind.PEAK) / capacity,
        week.requests() / capacity,
        HsmSearch.loadingSuffices(week, fleet, fleet.device().unwrapLanes()),
        HsmSearch.unwrapLanesNeeded(week, fleet));
  }

  private static Plan.Pool pool(PlanInput input, KeyBalance stored) {
    Week week = input.week();
    Fleet fleet = input.fleet();
    double made = 0;
    boolean besideSigning = false;
    for (int hour = 0; hour < Week.HOURS; hour++) {
      double generated = fleet.generatedPerSecond(week.ratePerSecond(hour));
      made += generated * Week.SECONDS_PER_HOUR;
      besideSigning |= generated > 0 && week.ratePerSecond(hour) > 0;
    }
    long keys = stored.keysNeeded();
    Device device = fleet.device();
    // A key generation holds up a signing for which no other lane is free.
    @Nullable Double held =
        besideSigning && device.generatorThreads() >= device.lanes()
            ? Fleet.seconds(device.generation().plus(device.signing())) * 1e3
            : null;
    return new Plan.Pool(
        fleet.generatedWhenIdlePerSecond(),
        made,
        stored.isSustainable(),
        keys,
        keys * input.bytesPerStoredKey() / 1e6,
        keys / fleet.generatedWhenIdlePerSecond() / Week.SECONDS_PER_HOUR,
        held);
  }

  /** In a week that can repeat itself, the pool is shown as it is after the first one. */
  private static Plan.WeekCourse course(Week week, Fleet fleet, KeyBalance stored) {
    int weeks = stored.isSustainable() ? 2 : 1;
    double[] levels = stored.levels(stored.keysNeeded(), weeks);
    List<Double> used = new ArrayList<>();
    List<Double> made = new ArrayList<>();
    for (int hour = 0; hour < Week.HOURS; hour++) {
      used.add(week.ratePerSecond(hour));
      made.add(fleet.generatedPerSecond(week.ratePerSecond(hour)));
    }
    double[] last = Arrays.copyOfRange(levels, (weeks - 1) * Week.HOURS, levels.length);
    return new Plan.WeekCourse(
        Arrays.stream(last).map(keys -> Math.max(0, keys)).boxed().toList(), used, made);
  }
}
