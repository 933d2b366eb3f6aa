package org.keywell.loadgen.report;

import java.util.Locale;
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

  /** The factor of throughput, where it comes from, and the thesis's. */
  static String factor(ComparisonDocument both) {
    PeakFigures slow = both.onTheFly().peak();
    PeakFigures fast = both.pooled().peak();
    if (slow == null || fast == null || both.throughputFactor() <= 0) {
      return "One of the runs did not come past the peak, so that throughput cannot be compared.";
    }
    return String.format(
        Locale.ROOT,
        "At the peak (%s s with %s requests per second due on average) the key pool gave %s"
            + " signatures per second, and keys made on the fly %s: %.1f times as many. The service"
            + " worked %s ms on each request, instead of %s: %.1f times as short. The thesis"
            + " (section 5.1) has %.0f: 742 ms against 20 ms.",
        Scale.text(fast.to() - fast.from()),
        Scale.text(fast.due()),
        Scale.text(fast.perSecond()),
        Scale.text(slow.perSecond()),
        both.throughputFactor(),
        Scale.text(ComparisonDocument.serviceMillis(both.pooled())),
        Scale.text(ComparisonDocument.serviceMillis(both.onTheFly())),
        both.serviceTimeFactor(),
        ComparisonDocument.THESIS_FACTOR);
  }
}
