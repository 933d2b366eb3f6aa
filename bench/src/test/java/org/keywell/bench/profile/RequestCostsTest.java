package org.keywell.bench.profile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.keywell.bench.rig.CpuTime;
import org.keywell.bench.suite.Goal;
import org.keywell.bench.suite.Reading;

/** How samples, and the system's account of processor time, become figures of one request. */
final class RequestCostsTest {
  private final RequestCosts costs = new RequestCosts("RSA-2048");

  private static Shares shares(Map<Area, Long> weights, Map<Area, Long> hsmFor) {
    return new Shares(weights, hsmFor);
  }

  private Reading reading(String label) {
    List<Reading> found =
        costs.readings(Goal.of(0.9, 0.6)).stream()
            .filter(reading -> reading.label().equals(label))
            .toList();
    assertThat(found).hasSize(1);
    return found.getFirst();
  }

  private void addTwoRounds() {
    costs.addProcessorTime(
        100,
        new CpuTime(120_000, 30_000),
        shares(
            Map.of(Area.HSM, 60L, Area.HTTP, 30L, Area.OTHER, 10L),
            Map.of(Area.LOADER, 40L, Area.QUEUE, 20L)));
    costs.addProcessorTime(
        100,
        new CpuTime(80_000, 10_000),
        shares(Map.of(Area.HSM, 60L, Area.HTTP, 40L), Map.of(Area.LOADER, 60L)));
    costs.addAllocation(10, shares(Map.of(Area.HTTP, 1_000L), Map.of()));
    costs.addAllocation(10, shares(Map.of(Area.HTTP, 500L, Area.JSON, 500L), Map.of()));
  }

  @Test
  void processorTimeIsTheSystemsDividedByTheSamples() {
    addTwoRounds();
    assertThat(reading("processor time, RSA-2048: service in all").value()).isEqualTo(1_000);
    assertThat(reading("processor time, RSA-2048: PostgreSQL in all").value()).isEqualTo(200);
    assertThat(reading("processor time, RSA-2048: HSM").value()).isCloseTo(600, within(1e-9));
    assertThat(reading("processor time, RSA-2048: HTTP").value()).isCloseTo(350, within(1e-9));
    assertThat(reading("processor time, RSA-2048: other").value()).isCloseTo(50, within(1e-9));
  }

  @Test
  void theHsmsShareIsTakenOffTheServices() {
    addTwoRounds();
    Reading own = reading("CPU of Java per RSA-2048 request, less the HSM's own");
    assertThat(own.value()).isCloseTo(0.4, within(1e-9));
    assertThat(own.unit()).isEqualTo("ms");
    assertThat(own.goal()).isEqualTo(Goal.of(0.9, 0.6));
  }

  @Test
  void itSaysForWhomTheHsmWorked() {
    addTwoRounds();
    assertThat(reading("HSM's time by who asks, RSA-2048: loader").value())
        .isCloseTo(500, within(1e-9));
    assertThat(reading("HSM's time by who asks, RSA-2048: queue").value())
        .isCloseTo(100, within(1e-9));
  }

  @Test
  void bytesAreOfTheRequestsThatAllocatedThem() {
    addTwoRounds();
    assertThat(reading("allocated, RSA-2048: service in all").value()).isEqualTo(100);
    assertThat(reading("allocated, RSA-2048: HTTP").value()).isEqualTo(75);
    assertThat(reading("allocated, RSA-2048: JSON").value()).isEqualTo(25);
  }

  @Test
  void whatNobodyClaimsIsTold() {
    addTwoRounds();
    assertThat(reading("samples of RSA-2048 that no area claims").value())
        .isCloseTo(5, within(1e-9));
  }

  @Test
  void everyAreaIsThereInItsOrder() {
    addTwoRounds();
    assertThat(costs.readings(Goal.NONE).stream().map(Reading::label))
        .containsSubsequence(
            Stream.of(Area.values())
                .map(area -> "processor time, RSA-2048: " + area.words())
                .toList());
    assertThat(reading("allocated, RSA-2048: GC").value()).isZero();
  }

  @Test
  void withoutSamplesOfBothKindsItIsEmpty() {
    assertThat(costs.isEmpty()).isTrue();
    costs.addProcessorTime(1, new CpuTime(1, 1), shares(Map.of(Area.HTTP, 1L), Map.of()));
    assertThat(costs.isEmpty()).isTrue();
    costs.addAllocation(1, shares(Map.of(Area.HTTP, 1L), Map.of()));
    assertThat(costs.isEmpty()).isFalse();
  }
}
