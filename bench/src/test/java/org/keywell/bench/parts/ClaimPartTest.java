package org.keywell.bench.parts;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.keywell.bench.suite.PartResult;
import org.keywell.bench.suite.Reading;
import org.keywell.standalone.EmbeddedDatabase;

@Tag("postgresql")
@Timeout(240)
final class ClaimPartTest {

  @Test
  void claimsFromBothAndFindsThemFilledTheNextTime(@TempDir Path folder) throws Exception {
    ClaimPart part = new ClaimPart(folder, 2_000, 4_000);

    assertMeasured(part.measure(2), 2);
    assertMeasured(part.measure(1), 1);

    try (EmbeddedDatabase server = EmbeddedDatabase.own(folder);
        FilledStore kept = FilledStore.open(server.access(), 4_000)) {
      // One round's claims are made up for before the next measurement.
      assertThat(kept.stored()).isEqualTo(4_000 - 15 * 100);
      kept.fill();
      assertThat(kept.stored()).isEqualTo(4_000);
    }
  }

  private static void assertMeasured(PartResult result, int rounds) {
    assertThat(result.ratios()).hasSize(1);
    assertThat(result.ratios().getFirst().rounds()).hasSize(rounds).allMatch(ratio -> ratio > 0);
    assertThat(result.readings()).hasSize(2);
    List<String> units = result.readings().stream().map(Reading::unit).toList();
    assertThat(units).containsExactly("ms", "ms");
  }
}
