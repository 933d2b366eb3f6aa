package org.keywell.plan;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class KeyBalanceTest {
  private static final int CASES = 500;

  /** Signing takes 100 ms on one lane, so nothing is made at 10/s; a key takes so many ms. */
  private static Device device(int generationAndWrapMillis) throws PlanInputException {
    return PlanSettings.of(
            Map.of(
                Setting.SIGNING, "100",
                Setting.GENERATION, String.valueOf(generationAndWrapMillis - 100),
                Setting.WRAP, "100"),
            null)
        .resolve()
        .fleet()
        .device();
  }

  private static Week tenPerSecondAt(int... hours) {
    double[] rates = new double[Week.HOURS];
    Arrays.stream(hours).forEach(hour -> rates[hour] = 10);
    return Week.ofRates(rates);
  }

  private static KeyBalance stored(Week week, int generationAndWrapMillis)
      throws PlanInputException {
    return KeyBalance.ofStoredKeys(week, new Fleet(device(generationAndWrapMillis), 1));
  }

  /** Whether a store of this size, full at the start of the weeks, ever lacks a key. */
  private static boolean runsDry(KeyBalance balance, long capacity, int weeks) {
    return Arrays.stream(balance.levels(capacity, weeks)).min().orElseThrow() < -1e-3;
  }

  @Test
  void whatADayLacksAddsUpUntilTheWeekend() throws PlanInputException {
    KeyBalance noonOnWorkdays =
        stored(tenPerSecondAt(12, 24 + 12, 48 + 12, 72 + 12, 96 + 12), 2_500);

    // Noon takes 36,000 keys. At 1 key in 2.5 s the 23 other hours make 33,120: each workday lacks
    // 2,880, so after Friday's noon 4 x 2,880 + 36,000 are missing. The weekend makes up for it:
    // 163 idle hours x 1,440 = 234,720 of 180,000.
    assertThat(noonOnWorkdays.isSustainable()).isTrue();
    assertThat(noonOnWorkdays.keysNeeded()).isEqualTo(47_520);
  }

  @Test
  void aPeakMayLieAcrossTheWeeksTurn() throws PlanInputException {
    KeyBalance sundayToMonday = stored(tenPerSecondAt(167, 0), 1_000);

    assertThat(sundayToMonday.keysNeeded(1)).isEqualTo(36_000);
    assertThat(sundayToMonday.keysNeeded()).isEqualTo(72_000);
    assertThat(runsDry(sundayToMonday, 72_000, 1)).isFalse();
    assertThat(runsDry(sundayToMonday, 71_999, 1)).isFalse();
    assertThat(runsDry(sundayToMonday, 71_999, 2)).isTrue();
  }

  @Test
  void aWeekThatCannotRepeatItselfNeedsWhatItLacks() throws PlanInputException {
    double[] always = new double[Week.HOURS];
    Arrays.fill(always, 5);
    KeyBalance balance = stored(Week.ofRates(always), 1_000);

    // At 5/s half of the lane is left: 0.5 keys/s; 4.5/s x 604,800 s are missing after the week.
    assertThat(balance.isSustainable()).isFalse();
    assertThat(balance.keysNeeded()).isEqualTo(2_721_600);
  }

  @Test
  void keysMadeAsFastAsTheyAreUsedNeedNoPool() throws PlanInputException {
    double[] always = new double[Week.HOURS];
    Arrays.fill(always, 0.5);
    KeyBalance balance = stored(Week.ofRates(always), 1_900);

    // 5 % of the lane sign, 95 % make 0.95 / 1.9 = 0.5 keys/s.
    assertThat(balance.isSustainable()).isTrue();
    assertThat(balance.keysNeeded()).isZero();
    assertThat(Arrays.stream(balance.levels(0, 2)).min().orElseThrow()).isBetween(-1e-6, 0.0);
  }

  @Test
  void theKeysNeededAreEnoughAndOneLessIsNot() throws PlanInputException {
    RandomPlans plans = new RandomPlans(20_250_104);
    int withPool = 0;
    for (int i = 0; i < CASES; i++) {
      PlanInput input = plans.next().resolve();
      KeyBalance balance = KeyBalance.ofStoredKeys(input.week(), input.fleet());
      int weeks = balance.isSustainable() ? 2 : 1;
      long needed = balance.keysNeeded();

      assertThat(runsDry(balance, needed, weeks)).isFalse();
      if (balance.isSustainable()) {
        assertThat(runsDry(balance, needed, 10)).isFalse();
      } else {
        assertThat(runsDry(balance, needed, 52)).isTrue();
      }
      if (needed > 0) {
        withPool++;
        assertThat(runsDry(balance, needed - 1, weeks)).isTrue();
      }
    }
    assertThat(withPool).isBetween(CASES / 4, CASES - 1);
  }

  @Test
  void moreHsmsNeverNeedMoreKeys() throws PlanInputException {
    RandomPlans plans = new RandomPlans(20_250_105);
    for (int i = 0; i < CASES; i++) {
      PlanInput input = plans.next().resolve();
      Fleet fleet = input.fleet();
      Fleet larger = new Fleet(fleet.device(), fleet.hsms() + 1);
      KeyBalance balance = KeyBalance.ofStoredKeys(input.week(), fleet);
      KeyBalance largerBalance = KeyBalance.ofStoredKeys(input.week(), larger);

      for (int weeks = 1; weeks <= 2; weeks++) {
        assertThat(largerBalance.keysNeeded(weeks)).isLessThanOrEqualTo(balance.keysNeeded(weeks));
      }
      if (balance.isSustainable()) {
        assertThat(largerBalance.isSustainable()).isTrue();
      }
    }
  }
}
