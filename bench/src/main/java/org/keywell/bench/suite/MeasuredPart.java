package org.keywell.bench.suite;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A part of a run, measured or not.
 *
 * @param part its letter
 * @param failure why it was not measured, in one line; null if it was
 */
public record MeasuredPart(
    String part,
    String title,
    double seconds,
    @Nullable String failure,
    List<Ratio> ratios,
    List<Reading> readings) {

  public MeasuredPart {
    ratios = List.copyOf(ratios);
    readings = List.copyOf(readings);
  }

  static MeasuredPart of(PartId id, PartResult result, double seconds) {
    return new MeasuredPart(
        id.letter(), id.title(), seconds, null, result.ratios(), result.readings());
  }

  static MeasuredPart failed(PartId id, String failure, double seconds) {
    return new MeasuredPart(id.letter(), id.title(), seconds, failure, List.of(), List.of());
  }
}
