package org.keywell.loadgen.report;

import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A condition on a comparison: on the pooled run ({@code p99<300ms} or {@code pooled.p99<300ms}),
 * on the run with keys generated on the fly ({@code on-the-fly.dropped>0}), or on the factor of
 * peak throughput ({@code factor>20}).
 */
public final class ComparisonRequirement {
  private static final String ON_THE_FLY = "on-the-fly.";
  private static final String POOLED = "pooled.";
  private static final String FACTOR = "factor";

  private final String text;
  private final boolean onTheFly;
  private final @Nullable Requirement ofRun;
  private final @Nullable Condition ofFactor;

  private ComparisonRequirement(
      String text, boolean onTheFly, @Nullable Requirement ofRun, @Nullable Condition ofFactor) {
    this.text = text;
    this.onTheFly = onTheFly;
    this.ofRun = ofRun;
    this.ofFactor = ofFactor;
  }

  /**
   * Reads a requirement.
   *
   * @throws IllegalArgumentException saying what is wrong with it
   */
  public static ComparisonRequirement parse(String text) {
    String stripped = text.strip();
    if (stripped.startsWith(ON_THE_FLY)) {
      Requirement own = Requirement.parse(stripped.substring(ON_THE_FLY.length()));
      return new ComparisonRequirement(stripped, true, own, null);
    }
    String ofPool = stripped.startsWith(POOLED) ? stripped.substring(POOLED.length()) : stripped;
    if (!ofPool.startsWith(FACTOR)) {
      return new ComparisonRequirement(stripped, false, Requirement.parse(ofPool), null);
    }
    Condition condition = Condition.parse(stripped);
    if (!condition.name().equals(FACTOR) || condition.unit() != null) {
      throw new IllegalArgumentException("'" + text + "': factor is a number without a unit");
    }
    return new ComparisonRequirement(stripped, false, null, condition);
  }

  /**
   * Checks whether the two runs meet this.
   *
   * @param factor of throughput at the peak, where they can be compared
   */
  RequirementResult check(RunDocument onTheFlyRun, RunDocument pooledRun, double factor) {
    if (ofRun != null) {
      RequirementResult result = ofRun.check((onTheFly ? onTheFlyRun : pooledRun).totals());
      return new RequirementResult(text, result.met(), result.actual());
    }
    Optional<String> unknown =
        ComparisonDocument.incomparable(onTheFlyRun.peak(), pooledRun.peak());
    if (ofFactor == null || unknown.isPresent()) {
      return new RequirementResult(text, false, "unknown: " + unknown.orElse("no condition"));
    }
    String shown = String.format(Locale.ROOT, "%.2f", factor);
    return new RequirementResult(text, ofFactor.holds(factor), shown);
  }
}
