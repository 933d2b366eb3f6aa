package org.keywell.loadgen.plan;

import static org.keywell.loadgen.text.Quantity.count;
import static org.keywell.loadgen.text.Quantity.hsms;
import static org.keywell.loadgen.text.Quantity.megabytes;
import static org.keywell.loadgen.text.Quantity.millis;
import static org.keywell.loadgen.text.Quantity.number;
import static org.keywell.loadgen.text.Quantity.perSecond;
import static org.keywell.loadgen.text.Quantity.percent;
import static org.keywell.loadgen.text.Quantity.time;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What follows from a plan's figures, a sentence each. */
final class Conclusions {

  /** From here on uneven requests wait noticeably: twice their mean service time and more. */
  private static final double LITTLE_RESERVE = 0.8;

  private static final double SECONDS_PER_HOUR = 3_600;
  private static final double DAYS_PER_YEAR = 365;

  private final Plan plan;
  private final PlanInput input;
  private final String fleet;
  private final boolean several;

  private Conclusions(Plan plan, PlanInput input) {
    this.plan = plan;
    this.input = input;
    this.fleet = hsms(input.hsms());
    this.several = input.hsms() > 1;
  }

  static Plan added(Plan plan, PlanInput input) {
    Conclusions conclusions = new Conclusions(plan, input);
    List<String> sentences = new ArrayList<>();
    sentences.add(conclusions.withoutPool());
    sentences.add(conclusions.withPool());
    sentences.add(conclusions.whileGenerating());
    sentences.add(conclusions.loading());
    sentences.add(conclusions.balance());
    sentences.add(conclusions.stock());
    sentences.removeIf(String::isEmpty);
    return new Plan(
        plan.schemaVersion(),
        plan.input(),
        plan.defaults(),
        plan.demand(),
        plan.baseRates(),
        plan.hours(),
        plan.loading(),
        plan.pool(),
        plan.hsmCounts(),
        plan.week(),
        List.copyOf(sentences));
  }

  private String withoutPool() {
    return "%s without the pool %s %s: %s"
        .formatted(
            capital(fleet),
            several ? "answer" : "answers",
            perSecond(plan.baseRates().withoutPoolPerSecond()),
            queue(busiest().withoutPool()));
  }

  private String withPool() {
    return "With keys that are ready, %s %s %s: %s"
        .formatted(
            fleet,
            several ? "answer" : "answers",
            perSecond(plan.baseRates().withPoolPerSecond()),
            queue(busiest().withPool()));
  }

  private String queue(QueueFigures figures) {
    String rate = perSecond(plan.demand().highestPerSecond());
    @Nullable Double full = figures.secondsUntilQueueFull();
    if (full != null) {
      return ("at %s the queue of %s is full after %s, and %s of the requests are refused from then"
              + " on.")
          .formatted(
              rate,
              count((long) input.limits().queue()),
              time(full),
              percent(figures.refusedShare()));
    }
    if (figures.queueLength() > 0) {
      return "at %s the queue grows to %s requests, which wait up to %s."
          .formatted(rate, number(figures.queueLength()), time(figures.latencySeconds()));
    }
    String answers =
        "at %s no queue grows, and an answer takes %s"
            .formatted(rate, millis(figures.longestResponseMillis()));
    if (figures.longestResponseMillis() > normalLimitMillis()) {
      answers += ", more than the %s of normal hours".formatted(millis(normalLimitMillis()));
    }
    return figures.utilisation() > LITTLE_RESERVE
        ? answers
            + ". But that is %s of what can be done: requests that come unevenly wait."
                .formatted(share(figures.utilisation()))
        : answers + ".";
  }

  private String whileGenerating() {
    @Nullable Double response = plan.pool().responseWhileGeneratingMillis();
    if (response == null || response <= normalLimitMillis()) {
      return "";
    }
    return ("A key that is being generated holds up signing: an answer can take %s, more than the %s"
            + " of normal hours. Make keys when nobody signs, or keep a lane for signing.")
        .formatted(millis(response), millis(normalLimitMillis()));
  }

  private String loading() {
    Plan.Loading loading = plan.loading();
    @Nullable Double rate = loading.loadedPerSecond();
    if (rate == null) {
      return "";
    }
    String loads =
        "%s %s %s keys/s into memory"
            .formatted(capital(fleet), several ? "load" : "loads", number(rate));
    @Nullable Double lasts = loading.memoryLastsAtPeakSeconds();
    if (lasts == null) {
      return loads + ", as fast as the peak uses them.";
    }
    String stock =
        "%s; at the peak the %s keys in memory last %s"
            .formatted(loads, count(loading.loadedKeyCapacity()), time(lasts));
    return loading.sufficient()
        ? stock + ", which is long enough."
        : "%s, then %s signatures/s are left. It takes %s unwrap lanes%s."
            .formatted(stock, number(rate), loading.unwrapLanesNeeded(), several ? " in each" : "");
  }

  private String balance() {
    String made =
        "Beside signing, %s %s %s keys a week, and the week uses %s"
            .formatted(
                fleet,
                several ? "make" : "makes",
                count(plan.pool().madePerWeek()),
                count(plan.demand().weekKeys()));
    return plan.pool().sustainable()
        ? made + ": it can repeat itself for ever."
        : "%s: it cannot repeat itself. That takes %s."
            .formatted(made, hsms(plan.hsmCounts().forEver().hsms()));
  }

  private String stock() {
    Plan.Pool pool = plan.pool();
    if (pool.keysNeeded() == 0) {
      return "In every hour keys are made as fast as they are used: none need be made ahead.";
    }
    String size =
        "%s the pool must hold %s keys (%s), which take %s %s with nothing to sign"
            .formatted(
                pool.sustainable() ? "For that" : "For one such week",
                count(pool.keysNeeded()),
                megabytes(pool.storageMegabytes()),
                fleet,
                time(pool.idleHoursToFill() * SECONDS_PER_HOUR));
    if (pool.sustainable()) {
      return size + ".";
    }
    double days = pool.idleHoursToFill() / Week.HOURS_PER_DAY + Week.DAYS;
    double weeks = Math.floor(DAYS_PER_YEAR / days);
    return weeks < 1
        ? size + ": more than a year."
        : "%s; %s such %s into a year."
            .formatted(size, count(weeks), weeks == 1 ? "week fits" : "weeks fit");
  }

  /** The kind of hours that has the week's highest rate. */
  private Plan.Hours busiest() {
    return plan.hours().stream()
        .max(Comparator.comparingDouble(Plan.Hours::ratePerSecond))
        .orElseThrow();
  }

  private double normalLimitMillis() {
    return Device.seconds(input.limits().normalResponse()) * 1e3;
  }

  private static String share(double utilisation) {
    return utilisation >= 1 ? "all" : percent(utilisation);
  }

  private static String capital(String text) {
    return Character.toUpperCase(text.charAt(0)) + text.substring(1);
  }
}
