package org.keywell.loadgen.cli;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.keywell.loadgen.overload.OverloadRate;
import org.keywell.loadgen.overload.ThesisRow;
import org.keywell.loadgen.schedule.Schedule;
import picocli.CommandLine.Option;

/** Options for an overload's tests, and for measuring its base rate. */
final class OverloadOptions {
  private static final int MOST_TESTS = 20;

  /** A rate barely above the base rate builds up no significant queue. */
  private static final double LEAST_OVERLOAD = 1.02;

  /** One test; its number of requests is known before its rate, if that depends on BR. */
  record Planned(OverloadRate rate, int requests) {}

  @Option(
      names = "--rates",
      paramLabel = "RATE",
      split = ",",
      description =
          "Comma-separated rates of the tests: requests per second such as 40, or multiples of the"
              + " base rate such as 1.5x. Default: 40,50,100 as in Table 4-2, or the same multiples"
              + " of the base rate if it is too high for these.")
  private List<String> rates = new ArrayList<>();

  @Option(
      names = "--seconds",
      paramLabel = "S",
      split = ",",
      description =
          "Comma-separated durations of the tests, one for each of --rates, which then must not be"
              + " multiples; default: as long as their requests take.")
  private List<Double> seconds = new ArrayList<>();

  @Option(
      names = "--requests",
      paramLabel = "N",
      defaultValue = "3000",
      description = "Requests per test, 10 to 100000; default: ${DEFAULT-VALUE}.")
  private int requests = 3_000;

  @Option(
      names = "--scale",
      paramLabel = "F",
      defaultValue = "1",
      description = "F times the requests, 0.001 to 10; default: ${DEFAULT-VALUE}.")
  private double scale = 1;

  @Option(
      names = "--base-requests",
      paramLabel = "N",
      defaultValue = "400",
      description =
          "Requests for measuring the base rate before the tests, 50 to 10000; default:"
              + " ${DEFAULT-VALUE}.")
  private int baseRequests = 400;

  @Option(
      names = "--base-callers",
      paramLabel = "N",
      defaultValue = "16",
      description =
          "Callers that send them, each waiting for its answer, 2 to 1000: enough to keep the"
              + " service always busy; default: ${DEFAULT-VALUE}.")
  private int baseCallers = 16;

  int baseRequests() {
    return baseRequests;
  }

  int baseCallers() {
    return baseCallers;
  }

  /** Returns the tests; rejects values out of range. */
  List<Planned> planned() throws MisuseException {
    if (!(scale >= 0.001 && scale <= 10)) {
      throw new MisuseException("--scale is 0.001 to 10");
    }
    if (requests < 10 || requests > Schedule.MAX_REQUESTS) {
      throw new MisuseException("--requests is 10 to " + Schedule.MAX_REQUESTS);
    }
    if (baseCallers < 2
        || baseCallers > 1_000
        || baseRequests > 10_000
        || baseRequests < Math.max(50, 2 * baseCallers + 10)) {
      throw new MisuseException(
          "--base-callers is 2 to 1000, --base-requests 50 to 10000 and at least twice as many and"
              + " 10 more");
    }
    List<OverloadRate> read = rates();
    if (!seconds.isEmpty() && (rates.isEmpty() || seconds.size() != rates.size())) {
      throw new MisuseException("--seconds needs as many values as --rates has");
    }
    List<Planned> tests = new ArrayList<>();
    for (int i = 0; i < read.size(); i++) {
      tests.add(new Planned(read.get(i), requestsOf(read.get(i), i)));
    }
    return tests;
  }

  private List<OverloadRate> rates() throws MisuseException {
    if (rates.size() > MOST_TESTS) {
      throw new MisuseException("--rates has at most " + MOST_TESTS + " values");
    }
    try {
      return rates.isEmpty()
          ? ThesisRow.all().stream().map(t -> new OverloadRate(t.perSecond(), false)).toList()
          : rates.stream().map(OverloadRate::parse).toList();
    } catch (IllegalArgumentException e) {
      throw new MisuseException("--rates: " + e.getMessage());
    }
  }

  private int requestsOf(OverloadRate rate, int index) throws MisuseException {
    if (!seconds.isEmpty() && rate.timesBase()) {
      throw new MisuseException("--seconds does not go with multiples; use --requests");
    }
    double count = scale * (seconds.isEmpty() ? requests : rate.value() * seconds.get(index));
    if (!(count >= 10 && count <= Schedule.MAX_REQUESTS)) {
      throw new MisuseException(
          "a test has 10 to %d requests, not %s"
              .formatted(Schedule.MAX_REQUESTS, String.format(Locale.ROOT, "%.0f", count)));
    }
    return (int) Math.round(count);
  }

  /**
   * Returns the tests' rates per second.
   *
   * @throws IOException if no queue would grow at one of them
   */
  List<Double> perSecond(List<Planned> tests, double baseRate) throws IOException {
    double least = LEAST_OVERLOAD * baseRate;
    if (rates.isEmpty() && tests.stream().anyMatch(t -> t.rate().perSecond(baseRate) < least)) {
      return ThesisRow.all().stream()
          .map(t -> baseRate * t.perSecond() / t.baseRatePerSecond())
          .toList();
    }
    List<Double> all = new ArrayList<>();
    for (Planned test : tests) {
      double perSecond = test.rate().perSecond(baseRate);
      if (perSecond < least) {
        throw new IOException(
            String.format(
                Locale.ROOT,
                "no queue grows at %.1f requests per second: the base rate is %.1f; name higher"
                    + " --rates, or multiples such as 1.5x",
                perSecond,
                baseRate));
      }
      all.add(perSecond);
    }
    return all;
  }
}
