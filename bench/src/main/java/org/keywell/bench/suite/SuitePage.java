package org.keywell.bench.suite;

import org.keywell.loadgen.report.StaticPage;

/** The page that displays a run. */
final class SuitePage {
  private static final String TEMPLATE = "/org/keywell/bench/suite/suite.html";
  private static final String TITLE = "Keywell: how near to the limit";

  private SuitePage() {}

  /**
   * Returns the page.
   *
   * @param json the run as in {@code bench.json}
   */
  static String of(String json) {
    return StaticPage.of(TEMPLATE, TITLE, json);
  }
}
