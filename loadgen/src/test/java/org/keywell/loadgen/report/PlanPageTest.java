package org.keywell.loadgen.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.keywell.loadgen.plan.Plan;
import org.keywell.loadgen.plan.PlanSettings;
import org.keywell.loadgen.plan.Planner;
import org.keywell.loadgen.plan.Setting;

@Tag("browser")
final class PlanPageTest {
  @TempDir private Path folder = Path.of("");

  private String page(PlanSettings settings) throws Exception {
    return Chromium.shown(Pages.of(Planner.plan(settings), settings), folder);
  }

  @Test
  void theThesissCase() throws Exception {
    Plan plan = Planner.plan(PlanSettings.DEFAULTS);
    assertThat(page(PlanSettings.DEFAULTS))
        .contains(
            "The peak of 50/s takes 35 HSMs without the pool. With it, 4 HSMs can sign and load as"
                + " much; the week’s 11,340,000 keys are made ahead, or by 16 HSMs as they are used.",
            "All settings have their defaults",
            "The pool was filled ahead",
            "<dd>24.39 GB</dd>",
            "It begins with 10,863,930 keys",
            "<li>" + plan.conclusions().getLast() + "</li>",
            "<td>50/s, default: rate in peak hours</td>")
        .containsPattern("<section id=\"thesis\">")
        .doesNotContain("undefined", "NaN");
  }

  @Test
  void aWeekThatRepeatsItself() throws Exception {
    assertThat(page(PlanSettings.of(Map.of(Setting.HSMS, "16"), null)))
        .contains("The week repeats itself", "16 HSMs, keys ready", "keys in the pool, for ever")
        .contains("<td>16, given: HSMs to plan for")
        .contains("<section id=\"thesis\" hidden=\"\">");
  }
}
