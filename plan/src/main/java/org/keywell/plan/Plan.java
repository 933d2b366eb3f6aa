package org.keywell.plan;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.keywell.loadgen.text.TextTemplate;

/**
 * A plan's figures, as stored in {@code plan.json}. Names end with the unit; shares are fractions
 * of 1; counts of HSMs, keys, requests and hours have none.
 *
 * @param schemaVersion of this form
 * @param input every setting in effect, as in an input file
 * @param defaults the keys of those that were not given
 * @param conclusions the most important figures, in sentences
 */
public record Plan(
    int schemaVersion,
    Map<String, Object> input,
    List<String> defaults,
    Demand demand,
    BaseRates baseRates,
    List<Hours> hours,
    Loading loading,
    Pool pool,
    HsmCounts hsmCounts,
    WeekCourse week,
    List<String> conclusions) {

  public static final int SCHEMA_VERSION = 1;

  private static final TextTemplate THESIS_CASE =
      TextTemplate.resource("/org/keywell/plan/thesis-case.txt");

  /**
   * Returns how the thesis arrives at its statement that one HSM with a pool does what would take
   * "approximately 9" without one (abstract, sections 1.3 and 1.9), compared with this plan; a
   * paragraph each. Empty for any case except the thesis's, which has only defaults.
   */
  public List<String> thesisCase() {
    return defaults.size() == input.size() ? THESIS_CASE.with(this).lines().toList() : List.of();
  }

  /**
   * The demand. A request takes a key.
   *
   * @param peakKeysPerDay in the peak hours of the day that has most in them
   */
  public record Demand(
      double meanPerSecond,
      double highestPerSecond,
      double peakKeysPerDay,
      double busiestDayKeys,
      double weekKeys) {}

  /**
   * BR and ρ of all HSMs together: without the pool, when each request's key is generated, and with
   * ready keys.
   *
   * @param utilisationAtPeakWithoutPool ρ, the highest rate as a fraction of the base rate
   */
  public record BaseRates(
      double withoutPoolPerSecond,
      double withPoolPerSecond,
      double utilisationAtPeakWithoutPool,
      double utilisationAtPeakWithPool) {}

  /**
   * The hours of one kind, at their highest rate, for as long as they last without a break.
   *
   * @param kind peak, business or other
   * @param hoursPerWeek how many there are
   * @param stretchHours how many follow each other at most: T
   */
  public record Hours(
      String kind,
      int hoursPerWeek,
      int stretchHours,
      double ratePerSecond,
      double responseLimitMillis,
      QueueFigures withoutPool,
      QueueFigures withPool) {}

  /**
   * How keys get into the HSMs' memory.
   *
   * @param loadedPerSecond by all HSMs; null if loading is no limit
   * @param memoryLastsAtPeakSeconds how long a full memory lasts at the highest rate; null if
   *     loading keeps up
   * @param turnoversInPeak how many times the memory's keys are used up in a day's peak hours
   * @param turnoversPerWeek the same, in a week
   * @param sufficient whether no request of the repeating week finds the memory empty
   * @param unwrapLanesNeeded of each HSM, for that
   */
  public record Loading(
      @Nullable Double loadedPerSecond,
      long loadedKeyCapacity,
      @Nullable Double memoryLastsAtPeakSeconds,
      double turnoversInPeak,
      double turnoversPerWeek,
      boolean sufficient,
      int unwrapLanesNeeded) {}

  /**
   * The stored keys that these HSMs need.
   *
   * @param madeWhenIdlePerSecond keys made while nobody signs
   * @param madePerWeek keys made beside the week's signing, if there is always room for more
   * @param sustainable whether that is as many as the week uses, so that it can repeat itself
   * @param keysNeeded in the pool when the week starts: forever if sustainable, else for one week
   * @param idleHoursToFill time with nothing to sign, to make that many
   * @param responseWhileGeneratingMillis of a request right after a generation starts, with no
   *     other lane free; null if generation leaves a lane for signing, or never happens beside it
   */
  public record Pool(
      double madeWhenIdlePerSecond,
      double madePerWeek,
      boolean sustainable,
      long keysNeeded,
      double storageMegabytes,
      double idleHoursToFill,
      @Nullable Double responseWhileGeneratingMillis) {}

  /**
   * How many HSMs are needed.
   *
   * @param withoutPoolForPeak to generate a key for each request at the highest rate
   * @param withoutPoolForMean the same at the mean rate: requests above it wait until later
   * @param forSigning with ready keys, at the highest rate
   * @param forLoading so that no HSM's memory runs empty
   * @param forGenerating to make in a week as many keys as it uses
   * @param oneWeekFilledAhead for signing and loading, with the pool filled beforehand
   * @param forEver for signing, loading and generating
   * @param choices what more HSMs change, from as many as signing needs to as many as last forever
   */
  public record HsmCounts(
      int withoutPoolForPeak,
      int withoutPoolForMean,
      int forSigning,
      int forLoading,
      int forGenerating,
      Provision oneWeekFilledAhead,
      Provision forEver,
      List<Provision> choices) {}

  /**
   * A number of HSMs and the pool that goes with it.
   *
   * @param keysNeeded at the start of the week; forever if that is possible with so many HSMs
   * @param fillDays that all of them take to make these keys, with nothing to sign
   * @param unwrapLanesNeeded of each HSM, so that no memory runs empty
   */
  public record Provision(
      int hsms,
      boolean sustainable,
      long keysNeeded,
      double storageMegabytes,
      double fillDays,
      int unwrapLanesNeeded) {}

  /**
   * The week hour by hour, from Monday at midnight.
   *
   * @param depthKeys stored keys at the start of each hour and at the end of the last: 169 values
   * @param usedPerSecond in each hour: 168 values
   * @param madePerSecond in each hour, if there is room: 168 values
   */
  public record WeekCourse(
      List<Double> depthKeys, List<Double> usedPerSecond, List<Double> madePerSecond) {}
}
