package org.keywell.bench.rig;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class WarmUpTest {

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 7, 10, 999, 40_000})
  void allTurnsSendAllRequestsAndAboutAsManyEach(int requests) {
    int[] turns =
        IntStream.range(0, WarmUp.TURNS).map(turn -> WarmUp.inTurn(turn, requests)).toArray();

    assertThat(IntStream.of(turns).sum()).isEqualTo(requests);
    for (int each : turns) {
      assertThat(each).isBetween(requests / WarmUp.TURNS, requests / WarmUp.TURNS + 1);
    }
  }
}
