package org.keywell.bench.tables;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.keywell.bench.tables.TablesPlan.MakeKeys;
import org.keywell.bench.tables.TablesPlan.Measure;
import org.keywell.bench.tables.TablesPlan.Step;
import org.keywell.bench.tables.figure.Column;
import org.keywell.bench.tables.figure.TableId;
import org.keywell.bench.tables.figure.ThesisRow;
import org.keywell.bench.tables.figure.ThesisRow.Kind;
import org.keywell.bench.tables.measure.DeviceChoice;
import org.keywell.bench.tables.measure.SimulatedDevice;

final class TablesPlanTest {
  private static final DeviceChoice AS_IT_IS = new DeviceChoice(true, Optional.empty());
  private static final DeviceChoice BOTH =
      new DeviceChoice(true, Optional.of(SimulatedDevice.of("luna-sa-1700", 6)));

  private static List<Step> steps(DeviceChoice devices, TableId first, TableId... rest) {
    return TablesPlan.of(EnumSet.of(first, rest), devices, Counts.defaults(1)).steps();
  }

  private static List<Measure> measures(List<Step> steps) {
    return steps.stream().filter(Measure.class::isInstance).map(Measure.class::cast).toList();
  }

  @Test
  void whatIsLoadedWasWrittenBefore() {
    List<Measure> measures = measures(steps(BOTH, TableId.TRANSFER));

    assertThat(measures)
        .extracting(Measure::row)
        .extracting(ThesisRow::kind)
        .startsWith(Kind.WRITE, Kind.WRITE, Kind.WRITE, Kind.WRITE, Kind.WRITE)
        .endsWith(Kind.LOAD, Kind.LOAD, Kind.LOAD, Kind.LOAD, Kind.LOAD);
    int written = sum(measures, Kind.WRITE);
    assertThat(written).isEqualTo(sum(measures, Kind.LOAD)).isEqualTo(16_600);
  }

  private static int sum(List<Measure> measures, Kind kind) {
    return measures.stream().filter(m -> m.row().kind() == kind).mapToInt(Measure::units).sum();
  }

  @Test
  void theDatabaseIsNotSimulated() {
    DeviceChoice simulatedOnly =
        new DeviceChoice(false, Optional.of(SimulatedDevice.of("luna-sa-1700", 6)));

    assertThat(measures(steps(BOTH, TableId.TRANSFER)))
        .extracting(Measure::column)
        .containsOnly(Column.NATIVE);
    assertThat(measures(steps(simulatedOnly, TableId.TRANSFER))).hasSize(10);
    assertThat(measures(steps(simulatedOnly, TableId.GENERATION)))
        .extracting(Measure::column)
        .containsOnly(Column.SIMULATED);
  }

  @Test
  void keysAreMadeBeforeTheFirstTableThatNeedsThem() {
    List<Step> steps =
        steps(AS_IT_IS, TableId.GENERATION, TableId.LOAD_AND_UNWRAP, TableId.WHOLE_SIGNING);

    assertThat(steps.subList(0, 3)).allMatch(Measure.class::isInstance);
    // 50 + 100 + 100 + 200 + 200 signatures, and 200 keys to unwrap and put back.
    assertThat(steps.get(3)).isEqualTo(new MakeKeys(850));
    assertThat(steps.stream().filter(MakeKeys.class::isInstance)).hasSize(1);
  }

  @Test
  void tablesThatDoNotSignNeedNoKeys() {
    assertThat(steps(BOTH, TableId.GENERATION, TableId.WRAP_AND_SAVE, TableId.TRANSFER))
        .noneMatch(MakeKeys.class::isInstance);
  }

  @Test
  void rowsFromAfarAreSimulatedFromAfar() {
    assertThat(measures(steps(BOTH, TableId.WHOLE_SIGNING)))
        .filteredOn(m -> m.column() == Column.SIMULATED)
        .extracting(Measure::device)
        .containsExactly(
            "luna-sa-1700-remote",
            "luna-sa-1700-remote",
            "luna-sa-1700-remote",
            "luna-sa-1700",
            "luna-sa-1700");
  }

  @Test
  void lanesAreForTheTableWithThreads() {
    assertThat(measures(steps(BOTH, TableId.WHOLE_SIGNING, TableId.THREADS)))
        .filteredOn(m -> m.column() == Column.SIMULATED_LANES)
        .hasSize(6)
        .allMatch(m -> m.device().equals("luna-sa-1700-remote-6-lanes"))
        .allMatch(m -> m.row().table() == TableId.THREADS);
    DeviceChoice oneLane =
        new DeviceChoice(true, Optional.of(SimulatedDevice.of("luna-sa-1700", 1)));
    assertThat(measures(steps(oneLane, TableId.THREADS)))
        .extracting(Measure::column)
        .doesNotContain(Column.SIMULATED_LANES);
  }
}
