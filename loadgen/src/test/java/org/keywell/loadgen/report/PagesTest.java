package org.keywell.loadgen.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.keywell.testkit.SelfContainedPage;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Each page is one file that fetches nothing, with all of its document in it. */
final class PagesTest {
  private static JsonNode tree(Object document) {
    return JsonMapper.shared().readTree(JsonMapper.shared().writeValueAsString(document));
  }

  static Stream<Arguments> pages() throws Exception {
    RunDocument run = FixedRun.document();
    ComparisonDocument both = ComparisonDocument.of(run, run, List.of());
    OverloadDocument overload = Overloads.of(1, true, Overloads.test(1, 3_000, 39.6));
    return Stream.of(
        Arguments.of(Pages.of(run), "", tree(run)),
        Arguments.of(Pages.of(both), "", tree(both)),
        Arguments.of(Pages.sideBySide("a", run, "b", both.pooled()), "/b/run", tree(run)),
        Arguments.of(Pages.of(overload), "", tree(overload)));
  }

  @ParameterizedTest
  @MethodSource("pages")
  void needsNothingButItself(String page, String pointer, JsonNode document) {
    SelfContainedPage whole = new SelfContainedPage(page);
    assertThat(JsonMapper.shared().readTree(whole.document()).at(pointer)).isEqualTo(document);
    whole.needsNothingButItself();
  }

  @ParameterizedTest
  @MethodSource("pages")
  void hasAPlaceForWhateverItsScriptsShow(String page, String pointer, JsonNode document) {
    new SelfContainedPage(page).hasAPlaceForWhateverItsScriptsShow();
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
