package org.keywell.loadgen.report;

import java.util.Arrays;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.keywell.loadgen.plot.Scale;

/** What the comparison of the traditional system with the key pool came to, in words. */
final class SystemsWords {

  private SystemsWords() {}

  static String verdict(ComparisonDocument both) {
    Figures slow = both.onTheFly().totals();
    Figures fast = both.pooled().totals();
    return ("With a key made for each request, %s of %s requests were dropped and %s were signed"
            + " within 3,000 ms; with the key pool, %s were dropped and %s were signed within"
            + " 3,000 ms.")
        .formatted(
            RunWords.count(slow.dropped()),
            RunWords.count(slow.due()),
            RunWords.percent(slow.share3000()),
            RunWords.count(fast.dropped()),
            RunWords.percent(fast.share3000()));
  }

  /** The factor of throughput, where it comes from, and the thesis's; or why there is none. */
  static String factor(ComparisonDocument both) {
    PeakFigures slow = both.onTheFly().peak();
    PeakFigures fast = both.pooled().peak();
    Optional<String> reason = both.incomparable();
    if (slow == null || fast == null || reason.isPresent()) {
      return "Throughput at the peak: %s. A factor takes %d answers of each system there."
          .formatted(reason.orElse("unknown"), SampleSize.LEAST);
    }
    return String.format(
        Locale.ROOT,
        "At the peak (%s s with %s requests per second due on average) the key pool gave %s"
            + " signatures per second, and keys made on the fly %s: %.1f times as many (of %,d and %,d"
            + " answers). The service worked %s on a request, instead of %s (the medians of its"
            + " stages). The thesis (section 5.1) has %.0f: 742 ms against 20 ms.",
        Scale.text(fast.to() - fast.from()),
        Scale.text(fast.due()),
        Scale.text(fast.perSecond()),
        Scale.text(slow.perSecond()),
        both.throughputFactor(),
        slow.answers(),
        fast.answers(),
        work(both.pooled()),
        work(both.onTheFly()),
        ComparisonDocument.THESIS_FACTOR);
  }

  /** How long the service works on a request: the medians of the stages in which it does. */
  static String work(RunDocument run) {
    Set<String> stages =
        Arrays.stream(StageTime.values())
            .filter(StageTime::isWork)
            .map(StageTime::label)
            .collect(Collectors.toSet());
    double millis =
        run.stages().stream()
            .filter(stage -> stages.contains(stage.stage()) && stage.p50() != null)
            .mapToDouble(stage -> Objects.requireNonNullElse(stage.p50(), 0.0))
            .sum();
    return millis > 0 ? RunWords.millis(millis) : "–";
  }
}
