package org.keywell.loadgen.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.keywell.testkit.Chromium;
import tools.jackson.databind.json.JsonMapper;

/**
 * The same samples come to the same figures, and a reader sees the same figures, as when the
 * program drew its pages itself: {@code figures.json} is from that time, and {@code cells.txt} up
 * to the environment.
 */
final class FixedRunTest {

  @Test
  void theFiguresAreWhatTheyWere() {
    JsonMapper json = JsonMapper.shared();
    RunFigures figures = RunFigures.of(FixedRun.schedule(), FixedRun.samples());

    assertThat(json.readTree(json.writeValueAsString(figures)))
        .isEqualTo(json.readTree(FixedRun.file("figures.json")));
  }

  @Test
  @Tag("browser")
  void thePagesTablesAreWhatTheyWere(@TempDir Path folder) throws Exception {
    String shown = Chromium.shown(Pages.of(FixedRun.document()), folder);

    assertThat(Chromium.cells(shown)).isEqualTo(FixedRun.file("cells.txt").lines().toList());
  }
}
