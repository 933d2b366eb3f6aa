package org.keywell.loadgen.plan;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/**
 * What a plan starts from, each with its name in a file, its option, its default and its range.
 * Defaults are those of the thesis's case on a Luna SA 1700.
 */
public enum Setting {
  PEAK_RATE("peakRatePerSecond", "--peak-rate", "50", 0.001, 100_000, "/s", "rate in peak hours"),
  PEAK_HOURS(
      "peakHours",
      "--peak-hours",
      "2",
      "how many hours of each business day, taken from the middle of the business hours; or which:"
          + " 9-10,14-15 is from 9 to 10 and from 14 to 15 o'clock"),
  BUSINESS_HOURS(
      "businessHours",
      "--business-hours",
      "8-16",
      "from and until which hour of each business day"),
  BUSINESS_DAYS(
      "businessDays",
      "--business-days",
      "mon-sun",
      "such as mon-fri or mon,wed; on all other days there are only the remaining hours"),
  BUSINESS_SHARE(
      "businessShare",
      "--business-share",
      "0.5",
      0,
      1,
      "",
      "rate in other business hours, as a part of the peak's"),
  OTHER_SHARE(
      "otherShare",
      "--other-share",
      "0.25",
      0,
      1,
      "",
      "rate in the remaining hours, as a part of the peak's"),
  WEEK(
      "week",
      "--week",
      "",
      "instead of all the above: a rate for each hour of the week, as CSV (hour,mon,...,sun and 24"
          + " lines) or as JSON (mon to sun, each with 24 rates)"),
  GENERATION(
      "generationMillis",
      "--generation",
      "673",
      0.001,
      600_000,
      "ms",
      "to make a key pair; the Luna's vendor says 588"),
  WRAP("wrapMillis", "--wrap", "121", 0, 60_000, "ms", "to wrap and save a key that was made"),
  UNWRAP(
      "unwrapMillis",
      "--unwrap",
      "70",
      0,
      60_000,
      "ms",
      "to load and unwrap a stored key, beside signing; 0: loading is no limit. For a device that"
          + " cannot do both at a time, give 0 and add the time to --signing"),
  SIGNING(
      "signingMillis", "--signing", "20", 0.001, 60_000, "ms", "a whole signing, with the CA's"),
  LANES("lanes", "--lanes", "1", 1, 1_000, Form.WHOLE, "signings that an HSM does at a time"),
  GENERATOR_THREADS(
      "generatorThreads",
      "--generator-threads",
      "1",
      1,
      1_000,
      Form.WHOLE,
      "lanes of an HSM that make keys for the pool at the most, while they have nothing to sign"),
  UNWRAP_LANES(
      "unwrapLanes",
      "--unwrap-lanes",
      "1",
      1,
      1_000,
      Form.WHOLE,
      "keys that an HSM unwraps at a time, beside its lanes"),
  IDLE_AFTER(
      "idleAfterMillis",
      "--idle-after",
      "0",
      0,
      3_600_000,
      "ms",
      "no keys are made in hours whose mean pause between two requests, at each HSM, is shorter"),
  LOADED_CAPACITY(
      "loadedKeyCapacity",
      "--loaded-capacity",
      "12033",
      1,
      1_000_000_000,
      Form.WHOLE,
      "keys that fit into an HSM's memory"),
  BYTES_PER_KEY(
      "bytesPerStoredKey",
      "--bytes-per-key",
      "2245",
      1,
      1_000_000,
      "B",
      "of database for a stored key, with its indexes: measured, docs/EXPERIMENTS.md tells how"),
  QUEUE_LIMIT(
      "queueLimit",
      "--queue-limit",
      "150",
      1,
      1_000_000,
      Form.WHOLE,
      "requests that wait at the most; 50 in the thesis's comparison"),
  NORMAL_LIMIT(
      "normalResponseLimitMillis",
      "--limit-normal",
      "300",
      1,
      3_600_000,
      "ms",
      "response limit outside the peak hours"),
  PEAK_LIMIT(
      "peakResponseLimitMillis",
      "--limit-peak",
      "3000",
      1,
      3_600_000,
      "ms",
      "response limit in the peak hours"),
  HSMS("hsms", "--hsms", "1", 1, 10_000, Form.WHOLE, "HSMs to plan for, with one queue and pool");

  /** What a value looks like. */
  public enum Form {
    TEXT,
    NUMBER,
    WHOLE
  }

  private final String key;
  private final String option;
  private final String byDefault;
  private final Form form;
  private final double min;
  private final double max;
  private final String unit;
  private final String meaning;

  Setting(
      String key,
      String option,
      String byDefault,
      Form form,
      double min,
      double max,
      String unit,
      String meaning) {
    this.key = key;
    this.option = option;
    this.byDefault = byDefault;
    this.form = form;
    this.min = min;
    this.max = max;
    this.unit = unit;
    this.meaning = meaning;
  }

  Setting(
      String key,
      String option,
      String byDefault,
      double min,
      double max,
      String unit,
      String meaning) {
    this(key, option, byDefault, Form.NUMBER, min, max, unit, meaning);
  }

  Setting(
      String key,
      String option,
      String byDefault,
      double min,
      double max,
      Form form,
      String meaning) {
    this(key, option, byDefault, form, min, max, "", meaning);
  }

  Setting(String key, String option, String byDefault, String meaning) {
    this(key, option, byDefault, Form.TEXT, 0, 0, "", meaning);
  }

  /** The setting with the given name in a file, if there is one. */
  public static Optional<Setting> ofKey(String key) {
    return Arrays.stream(values()).filter(s -> s.key.equals(key)).findFirst();
  }

  /** Its name in a file; where the value has a unit, the name ends with it. */
  public String key() {
    return key;
  }

  /** Its name on the command line, with the dashes. */
  public String option() {
    return option;
  }

  /** The default, as a user would write it; empty if there is none. */
  public String byDefault() {
    return byDefault;
  }

  public Form form() {
    return form;
  }

  /** The unit as it follows a number; empty for counts, parts and texts. */
  public String unit() {
    return unit;
  }

  /** What it is, for people. */
  public String meaning() {
    return meaning;
  }

  /** The range, for people; empty for texts. */
  public String range() {
    return form == Form.TEXT ? "" : plain(min) + " to " + plain(max);
  }

  /**
   * The number that a text gives for this setting.
   *
   * @throws PlanInputException if it is none, or out of range
   */
  double number(String text) throws PlanInputException {
    double number;
    try {
      number = Double.parseDouble(text.strip());
    } catch (NumberFormatException e) {
      throw outOfRange(text);
    }
    if (!(number >= min && number <= max) || (form == Form.WHOLE && number != Math.rint(number))) {
      throw outOfRange(text);
    }
    return number;
  }

  private PlanInputException outOfRange(String text) {
    String kind = form == Form.WHOLE ? "a whole number from " : "a number from ";
    return new PlanInputException(this, "is " + kind + range() + ", not '" + text + "'");
  }

  private static String plain(double number) {
    return number == Math.rint(number)
        ? String.format(Locale.ROOT, "%.0f", number)
        : String.valueOf(number);
  }
}
