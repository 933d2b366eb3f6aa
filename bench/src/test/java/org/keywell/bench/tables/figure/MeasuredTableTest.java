package org.keywell.bench.tables.figure;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class MeasuredTableTest {
  private final MeasuredTable table =
      Made.table(TableId.GENERATION)
          .with(0, Column.NATIVE, "native", Made.singles(Quantity.GENERATE, 100))
          .with(2, Column.NATIVE, "native", Made.singles(Quantity.GENERATE, 50, 60, 70))
          .with(2, Column.SIMULATED, "slow", Made.singles(Quantity.GENERATE, 600))
          .done();

  @Test
  void columnsAreThoseInWhichAnythingWasMeasured() {
    assertThat(table.columns()).containsExactly(Column.NATIVE, Column.SIMULATED);
    assertThat(table.quantities()).containsExactly(Quantity.GENERATE);
  }
}
