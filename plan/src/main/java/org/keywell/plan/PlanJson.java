package org.keywell.plan;

import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Reads the settings of a plan, or the rates of a week, from JSON. Unknown keys are errors. */
public final class PlanJson {
  private static final JsonMapper JSON =
      JsonMapper.builder()
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .build();

  private PlanJson() {}

  /**
   * The settings that an object gives, each under its key.
   *
   * @throws PlanFormatException if it is no such object
   */
  public static PlanSettings settings(String json) throws PlanFormatException {
    Map<Setting, String> texts = new EnumMap<>(Setting.class);
    @Nullable Week week = null;
    for (Map.Entry<String, JsonNode> entry : object(json).properties()) {
      Setting setting =
          Setting.ofKey(entry.getKey())
              .orElseThrow(
                  () -> new PlanFormatException("unknown key '%s'".formatted(entry.getKey())));
      if (setting == Setting.WEEK) {
        week = week(entry.getValue());
      } else {
        texts.put(setting, text(setting, entry.getValue()));
      }
    }
    return PlanSettings.of(texts, week);
  }

  /**
   * A week's rates, per second: an object with the keys mon to sun, each a list of 24.
   *
   * @throws PlanFormatException if it is no such object
   */
  static Week week(String json) throws PlanFormatException {
    return week(object(json));
  }

  private static Week week(JsonNode days) throws PlanFormatException {
    double[] rates = new double[Week.HOURS];
    if (!days.isObject() || days.size() != Week.DAYS) {
      throw new PlanFormatException("a week has the keys mon to sun and no others");
    }
    for (int day = 0; day < Week.DAYS; day++) {
      String name = Weekdays.NAMES.get(day);
      JsonNode hours = days.path(name);
      if (!hours.isArray() || hours.size() != Week.HOURS_PER_DAY) {
        throw new PlanFormatException(name + " is not a list of 24 rates");
      }
      for (int hour = 0; hour < Week.HOURS_PER_DAY; hour++) {
        JsonNode node = hours.get(hour);
        double rate = node.isNumber() ? WeekRates.rate(node.toString()) : Double.NaN;
        if (Double.isNaN(rate)) {
          throw new PlanFormatException(
              "%s, hour %d: %s is not a rate from 0 to %.0f"
                  .formatted(name, hour, node, Week.MAX_RATE));
        }
        rates[day * Week.HOURS_PER_DAY + hour] = rate;
      }
    }
    return WeekRates.week(rates);
  }

  private static JsonNode object(String json) throws PlanFormatException {
    JsonNode node;
    try {
      node = JSON.readTree(json);
    } catch (JacksonException e) {
      throw new PlanFormatException(
          "line %d: %s".formatted(e.getLocation().getLineNr(), e.getOriginalMessage()));
    }
    if (!node.isObject()) {
      throw new PlanFormatException("is not a JSON object");
    }
    return node;
  }

  private static String text(Setting setting, JsonNode node) throws PlanFormatException {
    boolean right =
        switch (setting.form()) {
          case NUMBER, WHOLE -> node.isNumber();
          case TEXT ->
              node.isString() || (setting == Setting.PEAK_HOURS && node.isIntegralNumber());
        };
    if (!right) {
      String wanted = setting.form() == Setting.Form.TEXT ? "a text" : "a number";
      throw new PlanFormatException(
          "%s is %s, not %s".formatted(setting.key(), wanted, node.toString()));
    }
    return node.isString() ? node.asString() : node.toString();
  }
}
