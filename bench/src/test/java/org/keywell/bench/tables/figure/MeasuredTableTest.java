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
  void theOverallMedianIsOfAllKeysNotOfAllRows() {
    assertThat(table.typicalMillis(Column.NATIVE, Quantity.GENERATE)).hasValue(60);
    assertThat(table.count(Column.NATIVE, Quantity.GENERATE)).isEqualTo(4);
    assertThat(table.typicalMillis(Column.SIMULATED, Quantity.GENERATE)).hasValue(600);
    assertThat(table.typicalMillis(Column.SIMULATED_LANES, Quantity.GENERATE)).isEmpty();
    assertThat(table.count(Column.SIMULATED_LANES, Quantity.GENERATE)).isZero();
  }

  @Test
  void columnsAreThoseInWhichAnythingWasMeasured() {
    assertThat(table.columns()).containsExactly(Column.NATIVE, Column.SIMULATED);
    assertThat(table.quantities()).containsExactly(Quantity.GENERATE);
  }

  @Test
  void printedTimesHaveTheirEnds() {
    assertThat(table.leastPrinted(Quantity.GENERATE)).hasValue(664.62);
    assertThat(table.greatestPrinted(Quantity.GENERATE)).hasValue(683.499);
    assertThat(table.leastPrinted(Quantity.UNWRAP)).isEmpty();
  }
}
