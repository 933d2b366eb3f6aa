package org.keywell.loadgen.report;

import java.util.Map;
import tools.jackson.databind.json.JsonMapper;

/** The pages for people. Their templates define how the figures are shown. */
public final class Pages {
  private static final String FOLDER = "/org/keywell/loadgen/report/";

  private Pages() {}

  static String of(RunDocument run) {
    return page("run", "Keywell load: " + run.command(), run);
  }

  static String of(ComparisonDocument both) {
    return page("compare", "Keywell load: the traditional system and the key pool", both);
  }

  static String of(OverloadDocument overload) {
    return page("overload", "Keywell load: overload", overload);
  }

  /** Returns a page with two runs under the given names, on the same scales. */
  public static String sideBySide(String nameOfA, RunDocument a, String nameOfB, RunDocument b) {
    record Named(String name, RunDocument run) {}
    return page(
        "show",
        "Keywell load: two runs side by side",
        Map.of("a", new Named(nameOfA, a), "b", new Named(nameOfB, b)));
  }

  private static String page(String template, String title, Object document) {
    return StaticPage.of(
        FOLDER + template + ".html", title, JsonMapper.shared().writeValueAsString(document));
  }
}
