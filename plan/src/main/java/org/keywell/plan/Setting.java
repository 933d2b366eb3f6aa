package org.keywell.plan;

import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.keywell.loadgen.text.Resource;
import tools.jackson.databind.json.JsonMapper;

/**
 * The inputs of a plan, with their names in a file. {@code settings.json} has each one's option,
 * default, range and meaning; defaults are those of the thesis's case on a Luna SA 1700.
 */
public enum Setting {
  PEAK_RATE("peakRatePerSecond"),
  PEAK_HOURS("peakHours"),
  BUSINESS_HOURS("businessHours"),
  BUSINESS_DAYS("businessDays"),
  BUSINESS_SHARE("businessShare"),
  OTHER_SHARE("otherShare"),
  WEEK("week"),
  GENERATION("generationMillis"),
  WRAP("wrapMillis"),
  UNWRAP("unwrapMillis"),
  SIGNING("signingMillis"),
  LANES("lanes"),
  GENERATOR_THREADS("generatorThreads"),
  UNWRAP_LANES("unwrapLanes"),
  IDLE_AFTER("idleAfterMillis"),
  LOADED_CAPACITY("loadedKeyCapacity"),
  BYTES_PER_KEY("bytesPerStoredKey"),
  QUEUE_LIMIT("queueLimit"),
  NORMAL_LIMIT("normalResponseLimitMillis"),
  PEAK_LIMIT("peakResponseLimitMillis"),
  HSMS("hsms");

  /** The form of a value. */
  public enum Form {
    TEXT,
    NUMBER,
    WHOLE
  }

  /** A setting's entry in {@code settings.json}. */
  private record Description(
      String key,
      String option,
      String byDefault,
      Form form,
      double min,
      double max,
      String unit,
      String meaning) {

    private static final Map<String, Description> ALL =
        Arrays.stream(
                JsonMapper.shared()
                    .readValue(
                        Resource.text("/org/keywell/plan/settings.json"), Description[].class))
            .collect(Collectors.toMap(Description::key, each -> each));

    static Description of(String key) {
      return Optional.ofNullable(ALL.get(key))
          .orElseThrow(() -> new IllegalStateException("settings.json lacks " + key));
    }
  }

  private final String key;

  Setting(String key) {
    this.key = key;
  }

  private Description said() {
    return Description.of(key);
  }

  /** Returns the setting with the given name in a file, if there is one. */
  public static Optional<Setting> ofKey(String key) {
    return Arrays.stream(values()).filter(s -> s.key().equals(key)).findFirst();
  }

  /** Returns its name in a file, which ends with the value's unit, if it has one. */
  public String key() {
    return key;
  }

  /** Returns its name on the command line, with the dashes. */
  public String option() {
    return said().option();
  }

  /** Returns the default, as a user would write it; empty if there is none. */
  public String byDefault() {
    return said().byDefault();
  }

  public Form form() {
    return said().form();
  }

  /** Returns the unit as it follows a number; empty for counts, fractions and texts. */
  public String unit() {
    return said().unit();
  }

  /** Returns its meaning, for people. */
  public String meaning() {
    return said().meaning();
  }

  /** Returns the range, for people; empty for texts. */
  public String range() {
    return form() == Form.TEXT ? "" : plain(said().min()) + " to " + plain(said().max());
  }

  /**
   * Returns the number that a text gives for this setting.
   *
   * @throws PlanInputException if it is not one, or out of range
   */
  double number(String text) throws PlanInputException {
    double number;
    try {
      number = Double.parseDouble(text.strip());
    } catch (NumberFormatException e) {
      throw outOfRange(text);
    }
    boolean inRange = number >= said().min() && number <= said().max();
    if (!inRange || (form() == Form.WHOLE && number != Math.rint(number))) {
      throw outOfRange(text);
    }
    return number;
  }

  private PlanInputException outOfRange(String text) {
    String kind = form() == Form.WHOLE ? "a whole number from " : "a number from ";
    return new PlanInputException(this, "is " + kind + range() + ", not '" + text + "'");
  }

  private static String plain(double number) {
    return number == Math.rint(number)
        ? String.format(Locale.ROOT, "%.0f", number)
        : String.valueOf(number);
  }
}
