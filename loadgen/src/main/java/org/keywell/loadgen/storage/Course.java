package org.keywell.loadgen.storage;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.keywell.loadgen.service.BoundedRun;
import org.keywell.loadgen.service.BoundedRun.Arrival;

/**
 * Transactions a second of a database to which something happened.
 *
 * @param before of each second before
 * @param after of each second after it was over
 * @param failures that pgbench counted, and whether it ended by itself
 */
record Course(List<Double> before, List<Double> after, String failures) {
  private static final Pattern SECOND =
      Pattern.compile("progress: [0-9.]+ s, ([0-9.]+) tps, .*?(?:, ([0-9]+) failed)?\\R");
  private static final int ENDED_BY_SIGTERM = 128 + 15;
  private static final long SECOND_NANOS = 1_000_000_000L;

  /**
   * Reads pgbench's progress.
   *
   * @param happened when it began, and when it was over, by {@link System#nanoTime}
   */
  static Course read(BoundedRun run, long began, long happened) {
    List<Double> before = new ArrayList<>();
    List<Double> after = new ArrayList<>();
    long failed = 0;
    Matcher second = SECOND.matcher(run.text());
    while (second.find()) {
      long arrived = arrival(run, second.end());
      double rate = Double.parseDouble(second.group(1));
      failed += second.group(2) == null ? 0 : Long.parseLong(second.group(2));
      if (arrived < began) {
        before.add(rate);
      } else if (arrived > happened + SECOND_NANOS) {
        after.add(rate);
      }
    }
    String failures = run.exitCode() == ENDED_BY_SIGTERM ? "" : "pgbench ended: " + run.lastLine();
    return new Course(before, after, failed > 0 ? failed + " failed transactions" : failures);
  }

  private static long arrival(BoundedRun run, int end) {
    return run.arrivals().stream()
        .filter(part -> part.end() >= end)
        .mapToLong(Arrival::nanos)
        .findFirst()
        .orElse(0);
  }

  /** Whether the database worked before and after. A busy disk can take a whole second. */
  boolean goesOn() {
    return failures.isEmpty()
        && before.stream().anyMatch(rate -> rate > 0)
        && after.stream().anyMatch(rate -> rate > 0);
  }

  String text() {
    return failures.isEmpty()
        ? "%s transactions/s before, %s after, none failed".formatted(mean(before), mean(after))
        : failures;
  }

  private static String mean(List<Double> rates) {
    return "%,.0f".formatted(rates.stream().mapToDouble(each -> each).average().orElse(0));
  }
}
