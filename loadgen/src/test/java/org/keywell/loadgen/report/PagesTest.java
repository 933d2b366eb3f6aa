package org.keywell.loadgen.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.keywell.loadgen.plan.PlanSettings;
import org.keywell.loadgen.plan.Planner;
import org.keywell.loadgen.plan.Setting;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Each page is one file that fetches nothing, with all of its document in it. */
final class PagesTest {
  private static final Pattern DATA =
      Pattern.compile("<script type=\"application/json\" id=\"data\">([^<]*)</script>");
  private static final Pattern LIBRARY =
      Pattern.compile("(?s)<script>/\\*!\\s+\\* Chart.js.*?</script>");
  private static final Pattern ID = Pattern.compile("(?:find|tell|notices|tiles)\\(\"([\\w-]+)\"");

  private static JsonNode tree(Object document) {
    return JsonMapper.shared().readTree(JsonMapper.shared().writeValueAsString(document));
  }

  static Stream<Arguments> pages() throws Exception {
    RunDocument run = FixedRun.document();
    ComparisonDocument both = ComparisonDocument.of(run, run, List.of());
    OverloadDocument overload = Overloads.of(1, true, Overloads.test(1, 3_000, 39.6));
    PlanSettings settings = PlanSettings.of(Map.of(Setting.HSMS, "16"), null);
    var plan = Planner.plan(settings);
    return Stream.of(
        Arguments.of(Pages.of(run), "", tree(run)),
        Arguments.of(Pages.of(both), "", tree(both)),
        Arguments.of(Pages.sideBySide("a", run, "b", both.pooled()), "/b/run", tree(run)),
        Arguments.of(Pages.of(overload), "", tree(overload)),
        Arguments.of(Pages.of(plan, settings), "/plan", tree(plan)));
  }

  @ParameterizedTest
  @MethodSource("pages")
  void needsNothingButItself(String page, String pointer, JsonNode document) {
    Matcher data = DATA.matcher(page);
    assertThat(data.find()).isTrue();
    assertThat(JsonMapper.shared().readTree(data.group(1)).at(pointer)).isEqualTo(document);
    String own = LIBRARY.matcher(data.replaceAll("")).replaceFirst("");
    assertThat(own)
        .contains("default-src 'none'", "<h1", "<title>Keywell ", "<noscript>")
        .doesNotContain("http:", "https:", "src=", "href=", "url(", "@import", "{{", "sourceMapp");
    assertThat(page).hasSizeGreaterThan(own.length() + 200_000);
  }

  @ParameterizedTest
  @MethodSource("pages")
  void hasAPlaceForWhateverItsScriptsShow(String page, String pointer, JsonNode document) {
    assertThat(ID.matcher(page).results().map(found -> "id=\"" + found.group(1) + '"'))
        .isNotEmpty()
        .allSatisfy(id -> assertThat(page).containsOnlyOnce(id));
  }

  @Test
  void whatAServiceSaysIsNoMarkup() {
    RunDocument run =
        Runs.of(
            Samples.SCHEDULE,
            Samples.byHand(),
            FixedRun.document().verification(),
            "</script><b>",
            null);
    assertThat(Pages.of(run)).doesNotContain("</script><b>").contains("\\u003c/script>\\u003cb>");
  }
}
