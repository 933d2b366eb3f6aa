package org.keywell.loadgen.report;

import static org.keywell.loadgen.text.Quantity.count;
import static org.keywell.loadgen.text.Quantity.hsms;
import static org.keywell.loadgen.text.Quantity.megabytes;
import static org.keywell.loadgen.text.Quantity.millis;
import static org.keywell.loadgen.text.Quantity.number;
import static org.keywell.loadgen.text.Quantity.percent;
import static org.keywell.loadgen.text.Quantity.time;

import java.util.List;
import org.keywell.loadgen.plan.Plan;
import org.keywell.loadgen.plan.PlanSettings;
import org.keywell.loadgen.plan.QueueFigures;
import org.keywell.loadgen.plan.Setting;
import org.keywell.loadgen.plan.ThesisCase;
import org.keywell.loadgen.plot.Markup;

/** The page on one plan. */
final class PlanPage {
  private static final double SECONDS_PER_DAY = 86_400;
  private static final double SECONDS_PER_HOUR = 3_600;

  private PlanPage() {}

  static String of(Plan plan, PlanSettings settings) {
    return Page.of(
        "Keywell plan",
        heading(plan, settings)
            + sentences("What follows", plan.conclusions())
            + plots(plan)
            + "<section><h2>Queue and latency</h2><p class=\"sub\">By the thesis's formulas, Q = (CR"
            + " − BR) · T and L = (KP + Si) · Q, from an empty queue, for requests that come evenly."
            + " T is how long hours of a kind follow each other. The longest answer is that behind"
            + " the longest queue allowed.</p>"
            + hours(plan)
            + "</section><section><h2>How many HSMs</h2>"
            + counts(plan)
            + "<p class=\"sub\">With the pool, more HSMs need fewer keys made ahead:</p>"
            + choices(plan)
            + "</section>"
            + (settings.areDefaults()
                ? sentences("The thesis's case", ThesisCase.paragraphs(plan))
                : "")
            + "<section><h2>Input</h2>"
            + input(settings)
            + "</section>\n");
  }

  private static String heading(Plan plan, PlanSettings settings) {
    Plan.Demand demand = plan.demand();
    return """
    <h1>Keywell plan</h1><p class="soft">%s</p>
    <p class="verdict">%s</p>
    %s\
    """
        .formatted(
            settings.areDefaults()
                ? "All settings have their defaults: the thesis's case."
                : "For the settings at the end of this page.",
            Markup.escape(
                ("The peak of %s/s takes %s without the pool. With it, %s can sign and load as"
                        + " much; the week's %s keys are made ahead, or by %s as they are used.")
                    .formatted(
                        number(demand.highestPerSecond()),
                        hsms(plan.hsmCounts().withoutPoolForPeak()),
                        hsms(plan.hsmCounts().oneWeekFilledAhead().hsms()),
                        count(demand.weekKeys()),
                        hsms(plan.hsmCounts().forEver().hsms()))),
            tiles(plan));
  }

  private static String tiles(Plan plan) {
    int hsms = ((Number) plan.input().getOrDefault(Setting.HSMS.key(), 1)).intValue();
    String with = hsms(hsms);
    return "<div class=\"tiles\">"
        + tile(number(plan.baseRates().withoutPoolPerSecond()) + "/s", with + ", a key per request")
        + tile(number(plan.baseRates().withPoolPerSecond()) + "/s", with + ", keys ready")
        + tile(count(plan.pool().keysNeeded()), keysFor(plan))
        + tile(megabytes(plan.pool().storageMegabytes()), "to store them")
        + tile(time(plan.pool().idleHoursToFill() * SECONDS_PER_HOUR), "to make them, while idle")
        + "</div>\n";
  }

  private static String keysFor(Plan plan) {
    return plan.pool().sustainable()
        ? "keys in the pool, for ever"
        : "keys in the pool, for a week";
  }

  private static String tile(String figure, String words) {
    return "<div class=\"tile\"><b>%s</b><span>%s</span></div>"
        .formatted(Markup.escape(figure), Markup.escape(words));
  }

  private static String sentences(String heading, List<String> sentences) {
    StringBuilder html = new StringBuilder("<section><h2>").append(Markup.escape(heading));
    html.append("</h2><ul>");
    sentences.forEach(s -> html.append("<li>").append(Markup.escape(s)).append("</li>\n"));
    return html.append("</ul></section>\n").toString();
  }

  private static String plots(Plan plan) {
    PlanPlots plots = new PlanPlots(plan);
    return "<div class=\"pair\">"
        + Page.figure(
            "Key pool over the week",
            plan.pool().sustainable()
                ? "The week repeats itself."
                : "The pool was filled ahead, and the week uses it up.",
            Page.legend(false, "b", "stored keys"),
            plots.depth(),
            "")
        + Page.figure(
            "Keys used and made",
            "Keys are made in the time that signing leaves.",
            Page.legend(false, "a", "used, by signing", "b", "made"),
            plots.rates(),
            "")
        + "</div>";
  }

  private static String hours(Plan plan) {
    Table table =
        new Table(
            "",
            List.of(
                "hours",
                "a week",
                "T",
                "rate",
                "load",
                "Q at the end",
                "L at the end",
                "queue full after",
                "refused then",
                "longest answer",
                "limit",
                "limit holds"));
    for (Plan.Hours hours : plan.hours()) {
      hoursRow(table, hours, "key per request", hours.withoutPool());
      hoursRow(table, hours, "keys ready", hours.withPool());
    }
    return table.html();
  }

  private static void hoursRow(Table table, Plan.Hours hours, String how, QueueFigures queue) {
    Double full = queue.secondsUntilQueueFull();
    table.row(
        List.of(
            hours.kind() + ", " + how,
            count((long) hours.hoursPerWeek()),
            hours.stretchHours() + " h",
            number(hours.ratePerSecond()) + "/s",
            percent(queue.utilisation()),
            count(queue.queueLength()),
            time(queue.latencySeconds()),
            full == null ? "–" : time(full),
            percent(queue.refusedShare()),
            millis(queue.longestResponseMillis()),
            millis(hours.responseLimitMillis()),
            queue.responseLimitHolds() ? "yes" : "NO"));
  }

  private static String counts(Plan plan) {
    Plan.HsmCounts counts = plan.hsmCounts();
    return Table.ofFacts()
        .fact("Without the pool, for the peak", count((long) counts.withoutPoolForPeak()))
        .fact("Without the pool, for the mean rate", count((long) counts.withoutPoolForMean()))
        .fact("With the pool, for signing", count((long) counts.forSigning()))
        .fact("With the pool, for loading keys", count((long) counts.forLoading()))
        .fact("With the pool, for generating", count((long) counts.forGenerating()))
        .html();
  }

  private static String choices(Plan plan) {
    Table table =
        new Table(
            "",
            List.of(
                "HSMs",
                "keys in the pool",
                "storage",
                "filled in",
                "unwrap lanes for each",
                "lasts"));
    for (Plan.Provision choice : plan.hsmCounts().choices()) {
      table.row(
          List.of(
              count((long) choice.hsms()),
              count(choice.keysNeeded()),
              megabytes(choice.storageMegabytes()),
              time(choice.fillDays() * SECONDS_PER_DAY),
              count((long) choice.unwrapLanesNeeded()),
              choice.sustainable() ? "for ever" : "one week"));
    }
    return table.html();
  }

  private static String input(PlanSettings settings) {
    Table table = Table.ofFacts();
    for (Setting setting : settings.effective()) {
      table.fact(
          setting.option().substring(2),
          "%s, %s: %s"
              .formatted(
                  PlanText.value(setting, settings),
                  settings.isGiven(setting) ? "given" : "default",
                  setting.meaning()));
    }
    return table.html();
  }
}
