package org.keywell.loadgen.report;

import java.util.List;
import java.util.OptionalDouble;

/**
 * What the same ramp came to without and with the key pool, as {@code comparison.json} holds it.
 * The runs themselves are in the folders {@code on-the-fly} and {@code pooled} beside it.
 *
 * @param format the version of this form
 * @param throughputFactor how many times as many signatures per second the pooled system gave at
 *     the peak; 0 if one of the runs did not come past its peak
 * @param serviceTimeFactor how many times as long the traditional system works on one request; 0 if
 *     one of the runs signed nothing
 */
public record ComparisonDocument(
    int format,
    RunDocument onTheFly,
    RunDocument pooled,
    double throughputFactor,
    double serviceTimeFactor,
    List<RequirementResult> requirements) {

  public static final int FORMAT = 1;

  /** The thesis's factor (section 5.1): 742 ms for a request with a key made for it, 20 without. */
  static final double THESIS_FACTOR = 37;

  /** Compares two runs. */
  public static ComparisonDocument of(
      RunDocument onTheFly, RunDocument pooled, List<ComparisonRequirement> requirements) {
    OptionalDouble throughput = throughputFactor(onTheFly, pooled);
    return new ComparisonDocument(
        FORMAT,
        onTheFly,
        pooled,
        throughput.orElse(0),
        ratio(serviceMillis(onTheFly), serviceMillis(pooled)).orElse(0),
        requirements.stream().map(r -> r.check(onTheFly, pooled, throughput)).toList());
  }

  private static OptionalDouble throughputFactor(RunDocument onTheFly, RunDocument pooled) {
    PeakFigures slow = onTheFly.peak();
    PeakFigures fast = pooled.peak();
    return slow == null || fast == null
        ? OptionalDouble.empty()
        : ratio(fast.perSecond(), slow.perSecond());
  }

  private static OptionalDouble ratio(double dividend, double divisor) {
    return dividend > 0 && divisor > 0
        ? OptionalDouble.of(dividend / divisor)
        : OptionalDouble.empty();
  }

  /**
   * The mean time that the service works on a request, from the queue to its record; 0: unknown.
   */
  static double serviceMillis(RunDocument run) {
    return run.stages().stream()
        .filter(stage -> !stage.stage().equals(StageTime.QUEUE.label()))
        .mapToDouble(StageFigures::mean)
        .sum();
  }

  public boolean bothSigned() {
    return onTheFly.signedSome() && pooled.signedSome();
  }

  public boolean allSignaturesRight() {
    return onTheFly.verification().isClean() && pooled.verification().isClean();
  }
}
