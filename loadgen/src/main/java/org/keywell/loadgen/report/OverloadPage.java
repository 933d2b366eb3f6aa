package org.keywell.loadgen.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.keywell.loadgen.overload.BaseRate;
import org.keywell.loadgen.overload.OverloadTest;
import org.keywell.loadgen.overload.ThesisTest;
import org.keywell.loadgen.plot.Markup;
import org.keywell.loadgen.plot.Plot;
import org.keywell.loadgen.plot.Scale;

/** The page on rates above the base rate: the queue and the latency, predicted and actual. */
final class OverloadPage {
  private static final int WIDTH = 1100;
  private static final int HEIGHT = 320;

  private OverloadPage() {}

  static String of(OverloadDocument overload) {
    String title = "Keywell load: overload";
    return Page.of(
        title,
        heading(overload, title)
            + RunWords.requirements(overload.requirements())
            + table(overload)
            + plots(overload)
            + "<section><h2>How it was done</h2>"
            + method(overload)
            + "</section><section><h2>Environment</h2>"
            + environment(overload)
            + "</section>\n");
  }

  private static String heading(OverloadDocument overload, String title) {
    return """
    <h1>%s</h1><p class="soft">The queue and the latency of the thesis's Table 4-2, predicted and \
    measured; started %s</p>
    %s<p class="verdict">%s</p>
    """
        .formatted(
            Markup.escape(title),
            Markup.escape(overload.startedAt()),
            notices(overload),
            Markup.escape(verdict(overload)));
  }

  private static String notices(OverloadDocument overload) {
    StringBuilder html = new StringBuilder();
    if (!overload.allSignaturesRight()) {
      html.append(
          "<p class=\"notice wrong\">Signatures were wrong, or a key signed more than once: see the"
              + " tests' own reports.</p>\n");
    }
    if (overload.simulatedProfile() != null) {
      RunWords.notice(html, RunWords.simulated(overload.simulatedProfile()));
    }
    if (overload.interrupted()) {
      RunWords.notice(html, "The overload was interrupted: tests are missing.");
    }
    if (overload.baseRate().mayBeTooLow()) {
      RunWords.notice(
          html,
          "While the base rate was measured, the service was not busy all the time: it may be"
              + " higher.");
    }
    if (overload.tests().stream().anyMatch(test -> test.dropped() > 0)) {
      RunWords.notice(
          html, "Requests were dropped, which the formulas know nothing of: see the tests.");
    }
    return html.toString();
  }

  private static String verdict(OverloadDocument overload) {
    if (overload.tests().isEmpty()) {
      return "No test was made.";
    }
    double lowest =
        overload.tests().stream()
            .mapToDouble(test -> test.accuracy().orElse(Double.NEGATIVE_INFINITY))
            .min()
            .orElseThrow();
    return lowest == Double.NEGATIVE_INFINITY
        ? "The last request of a test was not signed: its latency is not known."
        : String.format(
            Locale.ROOT,
            "With a base rate of %.2f requests per second, queue and latency came out as predicted"
                + " to at least %.2f %% in each test.",
            overload.baseRate().perSecond(),
            Math.floor(lowest * 100) / 100);
  }

  private static String table(OverloadDocument overload) {
    Table table =
        new Table(
            "",
            List.of(
                "test",
                "CR /s",
                "T s",
                "Q calculated",
                "Q actual",
                "accuracy",
                "Q told by the service",
                "L calculated s",
                "L actual s",
                "accuracy",
                "signed"));
    for (OverloadTest test : overload.tests()) {
      table.row(row(test));
    }
    for (ThesisTest test : overload.thesis()) {
      table.row(row(test));
    }
    return "<section><h2>Calculated and actual</h2><p class=\"sub\">Q: requests that were accepted"
        + " and not finished when the last one was sent. L: the latency of that last one. The"
        + " thesis's rows are as printed; its base rate was 26.3 requests per second, its Si"
        + " 38 ms.</p>"
        + table.html()
        + "</section>";
  }

  private static List<String> row(OverloadTest test) {
    List<String> row = new ArrayList<>();
    row.add("test " + test.number());
    row.add(Scale.text(test.perSecond()));
    row.add(decimals(3, test.seconds()));
    row.add(decimals(1, test.predicted().queue()));
    row.add(RunWords.count(test.actualQueue()));
    row.add(decimals(2, test.queueAccuracy()) + " %");
    row.add(test.polledQueue() == null ? "–" : RunWords.count(test.polledQueue()));
    row.add(decimals(3, test.predicted().latencySeconds()));
    Double latency = test.actualLatencySeconds();
    row.add(latency == null ? "–" : decimals(3, latency));
    Double accuracy = test.latencyAccuracy();
    row.add(accuracy == null ? "–" : decimals(2, accuracy) + " %");
    row.add("%s of %s".formatted(RunWords.count(test.signed()), RunWords.count(test.requests())));
    return row;
  }

  private static List<String> row(ThesisTest test) {
    return List.of(
        "thesis " + test.number(),
        Scale.text(test.perSecond()),
        decimals(3, test.seconds()),
        decimals(1, test.calculatedQueue()),
        Scale.text(test.actualQueue()),
        "–",
        "–",
        decimals(3, test.calculatedLatencySeconds()),
        decimals(3, test.actualLatencySeconds()),
        decimals(2, test.latencyAccuracy()) + " %",
        "–");
  }

  private static String plots(OverloadDocument overload) {
    StringBuilder html = new StringBuilder();
    for (OverloadTest test : overload.tests()) {
      html.append(
          Page.figure(
              "Test %d: %s requests per second for %s s"
                  .formatted(
                      test.number(), Scale.text(test.perSecond()), Scale.text(test.seconds())),
              "Requests that are accepted and not finished. The calculated line climbs by CR − BR"
                  + " and falls by BR.",
              Page.legend(false, "due", "calculated", "a", "actual"),
              plot(test, overload.baseRate()),
              ""));
    }
    return html.toString();
  }

  private static String plot(OverloadTest test, BaseRate base) {
    double queue = test.predicted().queue();
    double drained = test.seconds() + queue / base.perSecond();
    List<Plot.Point> calculated =
        List.of(
            new Plot.Point(0, 0, ""),
            new Plot.Point(test.seconds(), queue, ""),
            new Plot.Point(drained, 0, ""));
    List<Plot.Point> actual =
        test.backlog().stream().map(p -> new Plot.Point(p.seconds(), p.requests(), "")).toList();
    double end = Math.max(drained, test.backlog().getLast().seconds());
    double most = test.backlog().stream().mapToInt(OverloadTest.Point::requests).max().orElse(0);
    return new Plot(
            WIDTH, HEIGHT, new Scale.Linear(0, end), Scale.Linear.upTo(Math.max(most, queue)))
        .verticalAxis("requests")
        .horizontalAxis("seconds from the start")
        .area("a", actual)
        .series("a", actual, false)
        .series("due", calculated, false)
        .svg(
            "test-" + test.number(),
            "Requests that are accepted and not finished, over time",
            "Calculated at most %s, actually %s when the last request was sent."
                .formatted(decimals(1, queue), RunWords.count(test.actualQueue())));
  }

  private static String method(OverloadDocument overload) {
    BaseRate base = overload.baseRate();
    return Table.ofFacts()
        .fact("Warm-up", RunWords.warmUpWords(overload.warmUpRequests()))
        .fact(
            "Base rate BR",
            String.format(
                Locale.ROOT,
                "%.3f requests per second: %,d callers who each wait for an answer before they ask"
                    + " again sent %,d requests; %,d answers, without those at both ends, came in"
                    + " %.3f s. The service worked on %.2f requests at a time. A queue grows"
                    + " exactly when requests come faster than a service answers that always has"
                    + " a next one.",
                base.perSecond(),
                base.callers(),
                base.requests(),
                base.answers(),
                base.seconds(),
                base.busy()))
        .fact(
            "Signing time Si",
            String.format(
                Locale.ROOT,
                "%.3f ms = 1 / BR; the key's preparation KP is 0, since the keys are loaded before"
                    + " the tests",
                base.signingMillis()))
        .fact("Q calculated", "(CR − BR) · T")
        .fact("L calculated", "(KP + Si) · Q, with the calculated Q")
        .fact("Accuracy", "100 · (1 − |calculated − actual| / calculated)")
        .html();
  }

  private static String environment(OverloadDocument overload) {
    RunEnvironment here = overload.environment();
    return Table.ofFacts()
        .fact("Times", RunWords.times(overload.simulatedProfile()))
        .fact("Processor", here.cpu() + ", " + here.cores() + " cores")
        .fact("Java", here.jdk())
        .fact("System", here.os())
        .fact("Load average before", Scale.text(here.loadAverage()))
        .fact("Git revision", RunWords.revision(here))
        .fact("Service before the tests", RunWords.serviceWords(overload.service()))
        .fact("Its settings", RunWords.settingsWords(overload.serviceSettings()))
        .fact("Requests", overload.keySpec() + "; test ids begin with " + overload.testId())
        .fact("Each test", "in the folders test-1, test-2 … beside this page, with its samples")
        .html();
  }

  private static String decimals(int digits, double value) {
    return String.format(Locale.ROOT, "%,." + digits + "f", value);
  }
}
