package org.keywell.plan.cli;

import java.util.List;
import org.keywell.plan.PlanSettings;
import org.keywell.plan.Setting;

/**
 * A plan's setting, for people.
 *
 * @param name its option, without the dashes
 * @param value with its unit
 * @param given whether the user set it
 */
record SettingLine(String name, String value, String meaning, boolean given) {

  /** Returns those that the plan depends on. */
  static List<SettingLine> of(PlanSettings settings) {
    return settings.effective().stream()
        .map(setting ->
            new SettingLine(
                setting.option().substring(2),
                value(setting, settings),
                setting.meaning(),
                settings.isGiven(setting)))
        .toList();
  }

  private static String value(Setting setting, PlanSettings settings) {
    if (setting == Setting.WEEK) {
      return "a table";
    }
    String unit = setting.unit();
    return settings.text(setting).strip()
        + (unit.startsWith("/") || unit.isEmpty() ? "" : " ")
        + unit;
  }
}
