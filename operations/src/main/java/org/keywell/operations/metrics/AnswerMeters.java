package org.keywell.operations.metrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Timer;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.TimeUnit;

/**
 * Counts what a way in answers, by operation and result, and times it by operation. Labels must not
 * be what clients send. Thread-safe.
 */
final class AnswerMeters {

  private static final String OPERATION = "operation";

  /** What was refused before any operation. */
  static final String NONE = "none";

  private record Series(String operation, String result) {}

  private final Meters meters;
  private final String name;
  private final String what;
  private final String title;
  private final ConcurrentMap<Series, Counter> counters = new ConcurrentHashMap<>();
  private final ConcurrentMap<String, Timer> timers = new ConcurrentHashMap<>();

  /**
   * @param name of the timer, such as keywell.kmip
   * @param what is counted, in the plural; the last word of the counter's name
   * @param title of the way in
   */
  AnswerMeters(Meters meters, String name, String what, String title) {
    this.meters = meters;
    this.name = name;
    this.what = what;
    this.title = title;
  }

  /**
   * Counts.
   *
   * @param times may be 0, so that the first increase shows
   */
  void count(String operation, String result, int times) {
    counters
        .computeIfAbsent(
            new Series(operation, result),
            of ->
                meters.counter(
                    name + "." + what,
                    title + " " + what + " by result",
                    OPERATION,
                    of.operation(),
                    "result",
                    of.result()))
        .increment(times);
  }

  void time(String operation, long nanos) {
    timers
        .computeIfAbsent(
            operation,
            of -> meters.timer(name, title + " " + what + ", failed ones included", OPERATION, of))
        .record(nanos, TimeUnit.NANOSECONDS);
  }
}
