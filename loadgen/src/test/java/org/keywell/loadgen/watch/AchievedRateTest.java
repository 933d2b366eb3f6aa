package org.keywell.loadgen.watch;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class AchievedRateTest {

  private final AchievedRate rate = new AchievedRate();

  @Test
  void theFirstLookSaysTheRateSinceTheStart() {
    assertThat(rate.perSecond(10, 40)).isEqualTo(4);
  }

  @Test
  void looksThatAreFarApartSayWhatWasBetweenThem() {
    rate.perSecond(10, 40);

    assertThat(rate.perSecond(20, 240)).isEqualTo(20);
    assertThat(rate.perSecond(30, 240)).isZero();
  }

  @Test
  void looksThatAreCloseSayTheRateOfTheLastFiveSeconds() {
    for (int half = 1; half <= 20; half++) {
      rate.perSecond(half / 2.0, half);
    }

    assertThat(rate.perSecond(10.5, 121)).isEqualTo(22.0);
  }

  @Test
  void atTheStartThereIsNone() {
    assertThat(rate.perSecond(0, 0)).isZero();
  }
}
