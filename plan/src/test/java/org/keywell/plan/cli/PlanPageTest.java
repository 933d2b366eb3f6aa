package org.keywell.plan.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.keywell.plan.Plan;
import org.keywell.plan.PlanSettings;
import org.keywell.plan.Planner;
import org.keywell.plan.Setting;
import org.keywell.testkit.Chromium;
import org.keywell.testkit.SelfContainedPage;

final class PlanPageTest {
  @TempDir private Path folder = Path.of("");

  private String page(PlanSettings settings) throws Exception {
    return Chromium.shown(new PlanPage(Planner.plan(settings), settings).html(), folder);
  }

  @Test
  void needsNothingButItself() throws Exception {
    PlanSettings settings = PlanSettings.of(Map.of(Setting.HSMS, "16"), null);
    SelfContainedPage page =
        new SelfContainedPage(new PlanPage(Planner.plan(settings), settings).html());

    page.needsNothingButItself();
    page.hasAPlaceForWhateverItsScriptsShow();
  }

  @Test
  @Tag("browser")
  void theThesissCase() throws Exception {
    Plan plan = Planner.plan(PlanSettings.DEFAULTS);
    assertThat(page(PlanSettings.DEFAULTS))
        .contains(
            "<dt>HSMs for it without the pool</dt><dd>35</dd>",
            "<dt>HSMs with the pool, the week’s keys made ahead</dt><dd>4</dd>",
            "<dt>HSMs with the pool, keys made as they are used</dt><dd>16</dd>",
            "used in the week: 11,340,000",
            "lasts: one week",
            "<dd>24.39 GB</dd>",
            "at the start: 10,863,930",
            "<li>" + plan.conclusions().getLast() + "</li>",
            "<td>50/s, default: rate in peak hours</td>")
        .containsPattern("<section id=\"thesis\">")
        .doesNotContain("undefined", "NaN");
  }

  @Test
  @Tag("browser")
  void aWeekThatRepeatsItself() throws Exception {
    assertThat(page(PlanSettings.of(Map.of(Setting.HSMS, "16"), null)))
        .contains("lasts: for ever", "16 HSMs, keys ready", "keys in the pool, for ever")
        .contains("<td>16, given: HSMs to plan for")
        .doesNotContain("id=\"thesis\"");
  }
}
