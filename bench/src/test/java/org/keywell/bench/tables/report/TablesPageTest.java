package org.keywell.bench.tables.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.keywell.bench.tables.figure.KeyBalance;
import org.keywell.testkit.Chromium;
import org.keywell.testkit.SelfContainedPage;

/** What people see of a run. */
@Tag("browser")
final class TablesPageTest {
  @TempDir private Path folder = Path.of("");

  /** What people see: templates of tables that were not measured come after it. */
  private String shown(TablesDocument run) throws IOException, InterruptedException {
    String page = Chromium.shown(new TablesReport(run).page(), folder);
    return page.substring(page.indexOf("<main>"), page.indexOf("</main>"));
  }

  @Test
  void itNeedsNothingButItself() {
    SelfContainedPage page =
        new SelfContainedPage(
            new TablesReport(
                    TablesRuns.run(TablesReportTest.tables(), TablesRuns.CLEAN, null, null))
                .page());
    page.needsNothingButItself();
    page.hasAPlaceForWhateverItsScriptsShow();
  }

  @Test
  void theTablesThePlotsAndWhatMustBeKnownAreThere() throws Exception {
    String page =
        shown(
            TablesRuns.run(
                TablesReportTest.tables(),
                TablesRuns.CLEAN,
                "luna-sa-1700",
                "Table 2-4: <b>broken</b>"));

    assertThat(page)
        .contains("times are simulated", "The run was interrupted")
        .contains("The run failed: Table 2-4: &lt;b&gt;broken")
        .contains("1,234 private keys came to be in the HSM and 1,234 were destroyed; none of them")
        .contains("abc123", "token '&lt;keywell&gt;'", "simulated: luna-sa-1700")
        .contains(row("100 keys", "generate", "664.62", "3", "110", "80.0", "100", "150"))
        .contains("<td>650</td>", "<td>683.499</td><td></td><td>–</td>")
        .contains(
            row("all rows", "generate", "665–683", "3", "", "", "100", "", "1", "", "", "650"))
        .contains("No device is involved", "its total of 635 ms makes 1.27 ms.")
        .doesNotContain("A whole signing");
    assertThat(page.split("role=\"img\"", -1)).as("two plots").hasSize(3);
  }

  private static String row(String name, String... cells) {
    return "<th scope=\"row\">"
        + name
        + "</th>"
        + String.join("", List.of(cells).stream().map(cell -> "<td>" + cell + "</td>").toList());
  }

  @Test
  void whatIsLeftIsWrongAndRealTimesAreNotCalledSimulated() throws Exception {
    String page =
        shown(
            TablesRuns.run(TablesReportTest.tables(), new KeyBalance(10, 8, 1, 3, 4), null, null));

    assertThat(page)
        .contains("class=\"notice wrong\"", "LEFT are 2 in the HSM by its own count, and 4 in the")
        .doesNotContain("times are simulated", "The run failed");
  }
}
