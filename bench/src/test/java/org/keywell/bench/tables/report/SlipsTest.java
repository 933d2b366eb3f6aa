package org.keywell.bench.tables.report;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.keywell.bench.tables.figure.TableId;
import org.keywell.bench.tables.figure.ThesisTables;

final class SlipsTest {

  @Test
  void theOneInTable26IsFound() {
    assertThat(Slips.in(ThesisTables.rows(TableId.TRANSFER)))
        .containsExactly(
            "The thesis prints 3.27 ms for \"load 500 keys\"; its total of 635 ms makes 1.27 ms.");
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "TRANSFER")
  void theOtherTablesAddUp(TableId table) {
    assertThat(Slips.in(ThesisTables.rows(table))).isEmpty();
  }
}
