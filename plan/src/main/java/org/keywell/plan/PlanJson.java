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
   * Returns the settings in an object, each under its key.
   *
   * @throws PlanFormatException if it is not such an object
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
        week = WeekText.ofJson(entry.getValue());
      } else {
        texts.put(setting, text(setting, entry.getValue()));
      }
    }
    return PlanSettings.of(texts, week);
  }

  /**
   * Returns a week's rates.
   *
   * @throws PlanFormatException if the object does not have them
   */
  static Week week(String json) throws PlanFormatException {
    return WeekText.ofJson(object(json));
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
