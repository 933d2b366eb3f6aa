package org.keywell.loadgen.report;

import static org.keywell.loadgen.text.Quantity.count;
import static org.keywell.loadgen.text.Quantity.megabytes;
import static org.keywell.loadgen.text.Quantity.millis;
import static org.keywell.loadgen.text.Quantity.number;
import static org.keywell.loadgen.text.Quantity.percent;
import static org.keywell.loadgen.text.Quantity.time;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.keywell.loadgen.plan.Plan;
import org.keywell.loadgen.plan.PlanSettings;
import org.keywell.loadgen.plan.QueueFigures;
import org.keywell.loadgen.plan.Setting;
import org.keywell.loadgen.plan.ThesisCase;

/** A plan for a terminal. */
public final class PlanText {
  private static final int WIDTH = 104;
  private static final int INPUT_COLUMNS = 3;
  private static final double SECONDS_PER_DAY = 86_400;
  private static final double SECONDS_PER_HOUR = 3_600;

  private final StringBuilder text = new StringBuilder();
  private final Plan plan;

  private PlanText(Plan plan) {
    this.plan = plan;
  }

  /** The plan that the settings made. */
  public static String of(Plan plan, PlanSettings settings) {
    PlanText writer = new PlanText(plan);
    writer.input(settings);
    writer.hours();
    writer.pool();
    writer.hsmCounts();
    writer.sentences("What follows", plan.conclusions(), "- ");
    if (settings.areDefaults()) {
      writer.sentences("The thesis's case", ThesisCase.paragraphs(plan), "");
    }
    return writer.text.toString();
  }

  private void input(PlanSettings settings) {
    heading("Input (* is the default; --NAME or a file by --input changes it)");
    List<String> cells = new ArrayList<>();
    for (Setting setting : settings.effective()) {
      cells.add(
          "%-17s %s%s"
              .formatted(
                  setting.option().substring(2),
                  value(setting, settings),
                  settings.isGiven(setting) ? "" : " *"));
    }
    int rows = Math.ceilDiv(cells.size(), INPUT_COLUMNS);
    for (int row = 0; row < rows; row++) {
      StringBuilder line = new StringBuilder(" ");
      for (int i = row; i < cells.size(); i += rows) {
        line.append(String.format(Locale.ROOT, " %-33s", cells.get(i)));
      }
      line(line.toString());
    }
  }

  /** A setting's value with its unit. */
  static String value(Setting setting, PlanSettings settings) {
    if (setting == Setting.WEEK) {
      return "a table";
    }
    String unit = setting.unit();
    return settings.text(setting).strip()
        + (unit.startsWith("/") || unit.isEmpty() ? "" : " ")
        + unit;
  }

  private void hours() {
    Plan.BaseRates rates = plan.baseRates();
    heading(
        "Requests: %s in a day's peak hours, %s on the busiest day, %s a week (mean %s/s)"
            .formatted(
                count(plan.demand().peakKeysPerDay()),
                count(plan.demand().busiestDayKeys()),
                count(plan.demand().weekKeys()),
                number(plan.demand().meanPerSecond())));
    row(
        "hours",
        "a week",
        "rate",
        "for",
        "load",
        "Q at end",
        "L at end",
        "full in",
        "answer",
        "limit");
    for (boolean pooled : new boolean[] {false, true}) {
      line(
          pooled
              ? "  keys ready: BR = %s/s".formatted(number(rates.withPoolPerSecond()))
              : "  a key per request: BR = %s/s".formatted(number(rates.withoutPoolPerSecond())));
      for (Plan.Hours hours : plan.hours()) {
        QueueFigures queue = pooled ? hours.withPool() : hours.withoutPool();
        Double full = queue.secondsUntilQueueFull();
        row(
            hours.kind(),
            count((long) hours.hoursPerWeek()),
            number(hours.ratePerSecond()) + "/s",
            hours.stretchHours() + " h",
            percent(queue.utilisation()),
            count(queue.queueLength()),
            time(queue.latencySeconds()),
            full == null ? "-" : time(full),
            millis(queue.longestResponseMillis()),
            (queue.responseLimitHolds() ? "holds " : "BREAKS ")
                + millis(hours.responseLimitMillis()));
      }
    }
  }

  private void pool() {
    Plan.Pool pool = plan.pool();
    Plan.Loading loading = plan.loading();
    heading("Pool");
    fact(
        "keys needed",
        "%s, %s, made in %s with nothing to sign"
            .formatted(
                count(pool.keysNeeded()),
                megabytes(pool.storageMegabytes()),
                time(pool.idleHoursToFill() * SECONDS_PER_HOUR)));
    fact(
        "made while idle",
        "%s/s; in the week %s, of %s used: %s"
            .formatted(
                number(pool.madeWhenIdlePerSecond()),
                count(pool.madePerWeek()),
                count(plan.demand().weekKeys()),
                pool.sustainable() ? "lasts for ever" : "does not last"));
    Double loaded = loading.loadedPerSecond();
    fact(
        "loaded into memory",
        "%s; all of it is used %s times in a day's peak hours, %s a week"
            .formatted(
                loaded == null
                    ? "as fast as needed"
                    : number(loaded) + "/s: " + (loading.sufficient() ? "enough" : "NOT ENOUGH"),
                number(loading.turnoversInPeak()),
                number(loading.turnoversPerWeek())));
  }

  private void hsmCounts() {
    Plan.HsmCounts counts = plan.hsmCounts();
    heading("HSMs");
    fact(
        "without the pool",
        "%s hold the peak, %s the mean"
            .formatted(
                count((long) counts.withoutPoolForPeak()),
                count((long) counts.withoutPoolForMean())));
    fact(
        "with the pool",
        "%s for signing, %s for loading, %s for generating"
            .formatted(
                count((long) counts.forSigning()),
                count((long) counts.forLoading()),
                count((long) counts.forGenerating())));
    for (Plan.Provision choice : counts.choices()) {
      line(
          "    %-10s %11s keys, %9s, filled in %9s, %d unwrap %s each: %s"
              .formatted(
                  count((long) choice.hsms()) + (choice.hsms() == 1 ? " HSM" : " HSMs"),
                  count(choice.keysNeeded()),
                  megabytes(choice.storageMegabytes()),
                  time(choice.fillDays() * SECONDS_PER_DAY),
                  choice.unwrapLanesNeeded(),
                  choice.unwrapLanesNeeded() == 1 ? "lane " : "lanes",
                  choice.sustainable() ? "for ever" : "one week"));
    }
  }

  private void sentences(String heading, List<String> sentences, String bullet) {
    heading(heading);
    for (String sentence : sentences) {
      wrap(bullet + sentence);
    }
  }

  private void wrap(String sentence) {
    StringBuilder line = new StringBuilder(" ");
    for (String word : sentence.split(" ", -1)) {
      if (line.length() + 1 + word.length() > WIDTH) {
        line(line.toString());
        line = new StringBuilder("   ");
      }
      line.append(' ').append(word);
    }
    line(line.toString());
  }

  private void heading(String heading) {
    if (!text.isEmpty()) {
      line("");
    }
    line(heading);
  }

  private void fact(String name, String value) {
    line("  %-19s %s".formatted(name, value));
  }

  private void row(String... cells) {
    line(
        String.format(
            Locale.ROOT, "  %-9s %6s %7s %5s %8s %11s %10s %8s %9s  %s", (Object[]) cells));
  }

  private void line(String line) {
    text.append(line.stripTrailing()).append(System.lineSeparator());
  }
}
