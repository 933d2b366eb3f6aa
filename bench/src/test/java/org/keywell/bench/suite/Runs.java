package org.keywell.bench.suite;

import java.util.List;
import org.keywell.loadgen.report.RunEnvironment;

/** Runs as tests want them. */
final class Runs {

  private Runs() {}

  static SuiteDocument of(boolean busy, MeasuredPart... parts) {
    return new SuiteDocument(
        SuiteDocument.FORMAT,
        "2026-11-22T21:00:00Z",
        600.5,
        false,
        busy ? 3.25 : 0.25,
        busy,
        3,
        1,
        new RunEnvironment("a processor", 2, "a JDK", "an OS", 0.25, null, null),
        new Machine("7.7 GiB", "a system", "a module", "OpenSSL", "a database"),
        List.of(parts));
  }

  static MeasuredPart burst() {
    return MeasuredPart.of(
        PartId.B,
        new PartResult(
            List.of(
                new Ratio("burst / C", List.of(0.31, 0.36, 0.33), Goal.of(0.35, 0.45)),
                new Ratio("EC burst / C", List.of(0.5), Goal.NONE)),
            List.of(
                Reading.of("burst", 1_079.4, "requests/s"),
                new Reading("p50", 2.25, "ms", Goal.of(5, 3)))),
        42);
  }
}
