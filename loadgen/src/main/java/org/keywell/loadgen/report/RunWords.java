package org.keywell.loadgen.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.keywell.client.PoolStatus;
import org.keywell.loadgen.plot.Markup;
import org.keywell.loadgen.plot.Scale;
import org.keywell.loadgen.verify.Verification;

/** What a run came to, in words and single figures. */
final class RunWords {

  /** A driver that is later than this, at p99, has a part in what it measures. */
  private static final double LATE_MILLIS = 5;

  private RunWords() {}

  /** One or two sentences that answer what most readers ask first. */
  static String verdict(RunDocument run) {
    Figures totals = run.totals();
    Latency latency = totals.fromDue();
    String signed =
        "%s of %s requests were signed and %s dropped"
            .formatted(count(totals.signed()), count(totals.due()), count(totals.dropped()));
    return latency == null
        ? signed + "."
        : "%s; 99%% of the signatures came within %s of when they were due. %s"
            .formatted(signed, millis(latency.p99()), checked(run.verification()));
  }

  static String checked(Verification verification) {
    if (verification.checked() == 0) {
      return "No signature was checked.";
    }
    return verification.invalid() == 0
        ? "%s signatures and certificate chains were checked, and all are right."
            .formatted(count(verification.checked()))
        : "%s of %s signatures or certificate chains that were checked are WRONG."
            .formatted(count(verification.invalid()), count(verification.checked()));
  }

  /** What must never happen and did. */
  static List<String> wrongs(Verification verification) {
    List<String> wrongs = new ArrayList<>();
    if (verification.invalid() > 0) {
      wrongs.add(
          "%s wrong answers; the first: %s"
              .formatted(count(verification.invalid()), verification.firstProblem()));
    }
    if (verification.distinctKeys() < verification.signed()) {
      wrongs.add(
          "%s answers have only %s distinct public keys: a key signed more than once"
              .formatted(count(verification.signed()), count(verification.distinctKeys())));
    }
    return wrongs;
  }

  /** What a reader must know before believing a figure; empty if there is nothing. */
  static String notices(RunDocument run) {
    StringBuilder html = new StringBuilder();
    for (String wrong : wrongs(run.verification())) {
      html.append("<p class=\"notice wrong\">").append(Markup.escape(wrong)).append("</p>\n");
    }
    if (run.simulatedProfile() != null) {
      notice(html, simulated(run.simulatedProfile()));
    }
    if (run.interrupted()) {
      notice(
          html,
          "The run was interrupted after %s of %s requests."
              .formatted(count(run.totals().due()), count(run.requestsPlanned())));
    }
    if (run.timeScale() != 1) {
      notice(
          html,
          "Times are scaled by %s: rates are %s times those of the schedule."
              .formatted(Scale.text(run.timeScale()), Scale.text(1 / run.timeScale())));
    }
    Latency late = run.driver().sendLateness();
    if (late != null && late.p99() >= LATE_MILLIS) {
      notice(
          html,
          "The driver itself was late: "
              + millis(late.p99())
              + " at p99. Latencies from when requests were due contain that; was the machine busy"
              + " with something else?");
    }
    if (run.totals().unsent() > 0) {
      notice(
          html,
          "The driver's limit of %s requests in flight was reached; not sent: %s."
              .formatted(count(run.driver().inFlightLimit()), count(run.totals().unsent())));
    }
    return html.toString();
  }

  static String simulated(String profile) {
    return "The service's HSM is slowed to the profile " + profile + ": its times are simulated.";
  }

  static String times(@Nullable String profile) {
    return profile == null
        ? "real; the service names no simulated device"
        : "simulated: " + profile;
  }

  static void notice(StringBuilder html, String text) {
    html.append("<p class=\"notice\">").append(Markup.escape(text)).append("</p>\n");
  }

  static String tiles(RunDocument run) {
    Figures totals = run.totals();
    Latency latency = totals.fromDue();
    Verification verification = run.verification();
    return "<div class=\"tiles\">"
        + tile(count(totals.signed()), "signed, of " + count(totals.due()) + " due", true)
        + tile(count(totals.dropped()), "dropped", totals.dropped() == 0)
        + tile(
            latency == null ? "–" : millis(latency.p99()),
            latency == null ? "p99" : "p99; median " + millis(latency.p50()),
            true)
        + tile(percent(totals.share300()), "of all within 300 ms", true)
        + tile(percent(totals.share3000()), "of all within 3,000 ms", true)
        + tile(
            count(totals.preGenerated()),
            "keys made ahead of time",
            totals.preGenerated() == totals.signed())
        + tile(
            count(verification.distinctKeys()),
            "distinct public keys",
            verification.distinctKeys() == verification.signed())
        + "</div>\n";
  }

  private static String tile(String figure, String words, boolean good) {
    return "<div class=\"tile\"><b%s>%s</b><span>%s</span></div>"
        .formatted(good ? "" : " class=\"bad\"", Markup.escape(figure), Markup.escape(words));
  }

  static String requirements(List<RequirementResult> results) {
    if (results.isEmpty()) {
      return "";
    }
    StringBuilder html = new StringBuilder("<section><h2>Requirements</h2><ul>");
    for (RequirementResult result : results) {
      html.append(
          "<li><b class=\"%s\">%s</b> %s (it is %s)</li>"
              .formatted(
                  result.met() ? "good" : "bad",
                  result.met() ? "met" : "not met",
                  Markup.escape(result.requirement()),
                  Markup.escape(result.actual())));
    }
    return html.append("</ul></section>\n").toString();
  }

  static String environment(RunDocument run) {
    RunEnvironment here = run.environment();
    DriverSettings driver = run.driver();
    Table table =
        Table.ofFacts()
            .fact("Times", times(run.simulatedProfile()))
            .fact("Processor", here.cpu() + ", " + here.cores() + " cores")
            .fact("Java", here.jdk())
            .fact("System", here.os())
            .fact("Load average before", Scale.text(here.loadAverage()))
            .fact("Git revision", revision(here))
            .fact("Service", driver.url() + "; " + serviceWords(run.service()))
            .fact("Its settings", settingsWords(run.serviceSettings()))
            .fact(
                "Requests",
                "%s, deadline %,d ms, answers awaited for %,d ms, at most %,d in flight; test id %s"
                    .formatted(
                        driver.keySpec(),
                        driver.deadlineMillis(),
                        driver.timeoutMillis(),
                        driver.inFlightLimit(),
                        run.testId() == null ? "none" : run.testId()))
            .fact("Warm-up", warmUpWords(driver.warmUpRequests()))
            .fact("Driver", driverWords(driver))
            .fact("Verification", verificationWords(run.verification()));
    return table.html();
  }

  static String settingsWords(List<String> settings) {
    return settings.isEmpty() ? "as far as told above" : String.join(", ", settings);
  }

  static String warmUpWords(int requests) {
    return requests == 0
        ? "none of the service"
        : count(requests)
            + " requests before the run, one after the other, which are in no figure: a service"
            + " that has just been started takes its first ones slowly. Each took a key.";
  }

  static String revision(RunEnvironment here) {
    if (here.gitRevision() == null) {
      return "unknown";
    }
    return here.gitRevision() + (Boolean.TRUE.equals(here.gitDirty()) ? ", with changes" : "");
  }

  static String serviceWords(@Nullable PoolStatus service) {
    if (service == null) {
      return "it gave no configuration";
    }
    StringBuilder words = new StringBuilder("mode " + service.mode());
    PoolStatus.Queue queue = service.queue();
    if (queue != null) {
      words.append(", queue limit ").append(count(queue.limit()));
    }
    for (PoolStatus.Pool pool : service.pools()) {
      words.append(
          "; %s: %,d stored (at most %,d), %,d loaded (capacity %,d, low water %,d) before the run"
              .formatted(
                  pool.keySpec(),
                  pool.stored(),
                  pool.maxStored(),
                  pool.loaded(),
                  pool.loadedCapacity(),
                  pool.lowWater()));
    }
    return words.toString();
  }

  private static String driverWords(DriverSettings driver) {
    Latency late = driver.sendLateness();
    String words =
        late == null
            ? "sent nothing"
            : "sent each request %s (p99), at most %s, after it was due"
                .formatted(millis(late.p99()), millis(late.max()));
    DriverSettings.NullRate tried = driver.selfTest();
    return tried == null
        ? words
        : words
            + ("; before the run it %s with %s requests per second against a server that does"
                    + " nothing, sending %s late (p99)")
                .formatted(
                    tried.keptUp() ? "kept up" : "did NOT keep up",
                    Scale.text(tried.perSecond()),
                    millis(tried.sendLatenessP99Millis()));
  }

  private static String verificationWords(Verification v) {
    String words =
        "%s: %s checked, %s wrong; %s distinct public keys in %s answers"
            .formatted(
                v.mode(),
                count(v.checked()),
                count(v.invalid()),
                count(v.distinctKeys()),
                count(v.signed()));
    words += v.rootSha256() == null ? "" : "; root SHA-256 " + v.rootSha256();
    return v.firstProblem() == null ? words : words + "; first: " + v.firstProblem();
  }

  static String count(int number) {
    return String.format(Locale.ROOT, "%,d", number);
  }

  static String millis(double millis) {
    return Scale.text(millis) + " ms";
  }

  /** Never rounds up to 100 %. */
  static String percent(double share) {
    double floored = Math.floor(share * 10_000 + 1e-9) / 100;
    return String.format(Locale.ROOT, "%.2f", floored).replaceAll("\\.?0+$", "") + " %";
  }

  static List<String> latencyCells(@Nullable Latency latency) {
    return latency == null
        ? List.of("–", "–", "–", "–")
        : List.of(
            Scale.text(latency.p50()),
            Scale.text(latency.p90()),
            Scale.text(latency.p99()),
            Scale.text(latency.max()));
  }
}
