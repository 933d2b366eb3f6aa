package org.keywell.plan;

import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The settings that were given; all others have their defaults. Immutable. */
public final class PlanSettings {

  /** None given: the thesis's case. */
  public static final PlanSettings DEFAULTS = new PlanSettings(Map.of(), null);

  private static final Set<Setting> PROFILE = EnumSet.range(Setting.PEAK_RATE, Setting.OTHER_SHARE);

  private final Map<Setting, String> texts;
  private final @Nullable Week week;

  private PlanSettings(Map<Setting, String> texts, @Nullable Week week) {
    this.texts = Map.copyOf(texts);
    this.week = week;
  }

  /**
   * Returns settings that were given.
   *
   * @param texts as the user wrote them, checked only by {@link #resolve}
   * @param week instead of a profile; {@link Setting#WEEK} is not among the texts
   */
  public static PlanSettings of(Map<Setting, String> texts, @Nullable Week week) {
    return new PlanSettings(texts, week);
  }

  /**
   * Reads a week's rates from a file's text: JSON if it starts with a brace, otherwise CSV.
   *
   * @throws PlanFormatException if it is neither
   */
  public static Week parseWeek(String text) throws PlanFormatException {
    return text.stripLeading().startsWith("{")
        ? PlanJson.week(text)
        : WeekText.ofCsv(text.lines().toList());
  }

  /** Returns these settings, and those of {@code below} that are not among them. */
  public PlanSettings over(PlanSettings below) {
    Map<Setting, String> both = new EnumMap<>(Setting.class);
    both.putAll(below.texts);
    both.putAll(texts);
    return new PlanSettings(both, week != null ? week : below.week);
  }

  public boolean isGiven(Setting setting) {
    return setting == Setting.WEEK ? week != null : texts.containsKey(setting);
  }

  /** Returns the settings that the plan depends on: a profile's, or a week. */
  public List<Setting> effective() {
    List<Setting> effective = new ArrayList<>();
    for (Setting setting : Setting.values()) {
      boolean counts =
          PROFILE.contains(setting) ? week == null : setting != Setting.WEEK || week != null;
      if (counts) {
        effective.add(setting);
      }
    }
    return effective;
  }

  /** Returns a setting's value as the user wrote it, or the default. */
  public String text(Setting setting) {
    return texts.getOrDefault(setting, setting.byDefault());
  }

  /**
   * Returns all values by key, in a form that {@link PlanJson#settings} reads back.
   *
   * @throws PlanInputException naming the first setting that cannot be used
   */
  public Map<String, Object> values() throws PlanInputException {
    Map<String, Object> values = new LinkedHashMap<>();
    for (Setting setting : effective()) {
      values.put(setting.key(), value(setting));
    }
    return values;
  }

  private Object value(Setting setting) throws PlanInputException {
    return switch (setting.form()) {
      case NUMBER -> number(setting);
      case WHOLE -> whole(setting);
      case TEXT -> week != null && setting == Setting.WEEK ? table(week) : text(setting);
    };
  }

  private static Map<String, List<Double>> table(Week week) {
    Map<String, List<Double>> days = new LinkedHashMap<>();
    for (int day = 0; day < Week.DAYS; day++) {
      List<Double> rates = new ArrayList<>();
      for (int hour = 0; hour < Week.HOURS_PER_DAY; hour++) {
        rates.add(week.ratePerSecond(day * Week.HOURS_PER_DAY + hour));
      }
      days.put(Ranges.DAYS.get(day), rates);
    }
    return days;
  }

  /**
   * Returns the input that these settings define.
   *
   * @throws PlanInputException naming the first setting that cannot be used
   */
  PlanInput resolve() throws PlanInputException {
    Device device =
        new Device(
            millis(Setting.GENERATION),
            millis(Setting.WRAP),
            millis(Setting.UNWRAP),
            millis(Setting.SIGNING),
            whole(Setting.LANES),
            whole(Setting.GENERATOR_THREADS),
            whole(Setting.UNWRAP_LANES),
            millis(Setting.IDLE_AFTER),
            whole(Setting.LOADED_CAPACITY));
    return new PlanInput(
        week == null ? profile() : givenWeek(week),
        new Fleet(device, whole(Setting.HSMS)),
        whole(Setting.QUEUE_LIMIT),
        millis(Setting.NORMAL_LIMIT),
        millis(Setting.PEAK_LIMIT),
        number(Setting.BYTES_PER_KEY));
  }

  private Week givenWeek(Week given) throws PlanInputException {
    for (Setting setting : PROFILE) {
      if (isGiven(setting)) {
        throw new PlanInputException(setting, "does not go together with a week's own rates");
      }
    }
    return given;
  }

  private Week profile() throws PlanInputException {
    double peakRate = number(Setting.PEAK_RATE);
    double businessRate = peakRate * number(Setting.BUSINESS_SHARE);
    double otherRate = peakRate * number(Setting.OTHER_SHARE);
    SortedSet<Integer> business = parsed(Setting.BUSINESS_HOURS, Ranges::hours);
    SortedSet<Integer> peak = parsed(Setting.PEAK_HOURS, text -> peakHours(text, business));
    SortedSet<Integer> days = parsed(Setting.BUSINESS_DAYS, Ranges::days);
    return Week.ofKinds(
        hour -> {
          int hourOfDay = hour % Week.HOURS_PER_DAY;
          if (!days.contains(hour / Week.HOURS_PER_DAY)) {
            return HourKind.OTHER;
          }
          return peak.contains(hourOfDay)
              ? HourKind.PEAK
              : business.contains(hourOfDay) ? HourKind.BUSINESS : HourKind.OTHER;
        },
        kind ->
            switch (kind) {
              case PEAK -> peakRate;
              case BUSINESS -> businessRate;
              case OTHER -> otherRate;
            });
  }

  /** Reads the peak hours, or how many in the middle of the business hours. */
  private static SortedSet<Integer> peakHours(String text, SortedSet<Integer> business) {
    String stripped = text.strip();
    if (!stripped.matches("\\d{1,2}")) {
      return Ranges.hours(text);
    }
    int count = Integer.parseInt(stripped);
    if (count < 1 || count > business.size()) {
      throw new IllegalArgumentException(
          "is at least 1, and at most as many as there are business hours, %d, not '%d'"
              .formatted(business.size(), count));
    }
    int from = (business.size() - count) / 2;
    return new TreeSet<>(List.copyOf(business).subList(from, from + count));
  }

  private <T> T parsed(Setting setting, Function<String, T> parser) throws PlanInputException {
    try {
      return parser.apply(text(setting));
    } catch (IllegalArgumentException e) {
      throw new PlanInputException(setting, String.valueOf(e.getMessage()));
    }
  }

  private double number(Setting setting) throws PlanInputException {
    return setting.number(text(setting));
  }

  private int whole(Setting setting) throws PlanInputException {
    return (int) number(setting);
  }

  private Duration millis(Setting setting) throws PlanInputException {
    return Duration.ofNanos(Math.round(number(setting) * 1e6));
  }
}
