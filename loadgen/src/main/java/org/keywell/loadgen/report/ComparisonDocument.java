package org.keywell.loadgen.report;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The results of the same ramp without and with the key pool, as stored in {@code comparison.json}.
 * The runs themselves are in the folders {@code on-the-fly} and {@code pooled} beside it.
 *
 * @param format the version of this form
 * @param throughputFactor the pooled system's signatures per second at the peak, as a multiple of
 *     the other's; 0 if a run did not get past its peak, or has too few answers there
 */
public record ComparisonDocument(
    int format,
    RunDocument onTheFly,
    RunDocument pooled,
    double throughputFactor,
    List<RequirementResult> requirements) {

  public static final int FORMAT = 2;

  /** The thesis's factor (section 5.1): a request takes 742 ms with a key made for it, else 20. */
  private static final double THESIS_FACTOR = 37;

  /** With fewer, one outlier decides the result. */
  private static final int LEAST_ANSWERS = 30;

  /** Compares two runs. */
  public static ComparisonDocument of(
      RunDocument onTheFly, RunDocument pooled, List<ComparisonRequirement> requirements) {
    PeakFigures slow = onTheFly.peak();
    PeakFigures fast = pooled.peak();
    boolean comparable = incomparable(slow, fast).isEmpty();
    double factor =
        slow != null && fast != null && comparable ? fast.perSecond() / slow.perSecond() : 0;
    return new ComparisonDocument(
        FORMAT,
        onTheFly,
        pooled,
        factor,
        requirements.stream().map(r -> r.check(onTheFly, pooled, factor)).toList());
  }

  /** Returns why there is no factor; empty if there is one. */
  static Optional<String> incomparable(@Nullable PeakFigures slow, @Nullable PeakFigures fast) {
    if (slow == null || fast == null) {
      return Optional.of("one of the runs did not come past the peak");
    }
    int fewer = Math.min(slow.answers(), fast.answers());
    return fewer < LEAST_ANSWERS
        ? Optional.of("too few to compare (n = %d)".formatted(fewer))
        : Optional.empty();
  }

  /** Returns why there is no factor; null if there is one. */
  @JsonProperty
  public @Nullable String incomparable() {
    return incomparable(onTheFly.peak(), pooled.peak()).orElse(null);
  }

  /** Returns how many answers of each system a factor needs. */
  @JsonProperty
  public int leastAnswers() {
    return LEAST_ANSWERS;
  }

  @JsonProperty
  public double thesisFactor() {
    return THESIS_FACTOR;
  }

  @JsonProperty
  public @Nullable Double onTheFlyWorkMillis() {
    return StageFigures.workMillis(onTheFly.stages());
  }

  @JsonProperty
  public @Nullable Double pooledWorkMillis() {
    return StageFigures.workMillis(pooled.stages());
  }

  public boolean bothSigned() {
    return onTheFly.signedSome() && pooled.signedSome();
  }

  public boolean allSignaturesRight() {
    return onTheFly.verification().isClean() && pooled.verification().isClean();
  }
}
