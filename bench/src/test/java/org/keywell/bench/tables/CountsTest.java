package org.keywell.bench.tables;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.keywell.bench.tables.figure.Column;
import org.keywell.bench.tables.figure.TableId;
import org.keywell.bench.tables.figure.ThesisRow;
import org.keywell.bench.tables.figure.ThesisTables;

final class CountsTest {

  @ParameterizedTest
  @EnumSource
  void everyRowHasACount(TableId table) {
    for (ThesisRow row : ThesisTables.rows(table)) {
      for (Column column : Column.values()) {
        assertThat(Counts.defaults(1).of(row, column)).isPositive();
        assertThat(Counts.defaults(0.01).of(row, column)).isGreaterThanOrEqualTo(row.threads());
        assertThat(Counts.thesis().of(row, column)).isGreaterThanOrEqualTo(100);
      }
    }
  }

  @Test
  void defaultsAreMultiplied() {
    ThesisRow row = ThesisTables.rows(TableId.GENERATION).getLast();

    assertThat(Counts.defaults(1).of(row, Column.NATIVE)).isEqualTo(50);
    assertThat(Counts.defaults(1).of(row, Column.SIMULATED)).isEqualTo(20);
    assertThat(Counts.defaults(2.5).of(row, Column.NATIVE)).isEqualTo(125);
    assertThat(Counts.thesis().of(row, Column.NATIVE)).isEqualTo(2_000);
  }
}
