package org.keywell.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.EnumMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class PlannerTest {

  private static Plan plan(Map<Setting, String> texts) throws PlanInputException {
    return Planner.plan(PlanSettings.of(texts, null));
  }

  /** An hour a day at 10/s, which the one lane's 100 ms just sign; an idle second makes a key. */
  private static Map<Setting, String> smallCase(Map<Setting, String> more) {
    Map<Setting, String> texts = new EnumMap<>(Setting.class);
    texts.put(Setting.PEAK_RATE, "10");
    texts.put(Setting.PEAK_HOURS, "12-13");
    texts.put(Setting.BUSINESS_HOURS, "12-13");
    texts.put(Setting.OTHER_SHARE, "0");
    texts.put(Setting.GENERATION, "900");
    texts.put(Setting.WRAP, "100");
    texts.put(Setting.UNWRAP, "200");
    texts.put(Setting.SIGNING, "100");
    texts.put(Setting.BYTES_PER_KEY, "2000");
    texts.put(Setting.QUEUE_LIMIT, "90");
    texts.putAll(more);
    return texts;
  }

  @Test
  void aSmallCaseByHand() throws PlanInputException {
    Plan plan = plan(smallCase(Map.of()));

    // BR = 1 / (0.9 + 0.1) = 1 without the pool and 1 / 0.1 = 10 with it.
    assertThat(plan.baseRates()).isEqualTo(new Plan.BaseRates(1, 10, 10, 1));
    assertThat(plan.demand()).isEqualTo(new Plan.Demand(10 / 24.0, 10, 36_000, 36_000, 252_000));
    assertThat(plan.hours()).extracting(Plan.Hours::kind).containsExactly("peak", "other");
    // Q = (10 - 1) x 3,600 = 32,400; L = 1 s x 32,400; full after 90 / 9 = 10 s; then 9 of 10 are
    // refused; the longest answer is 90 x 1 s + 1 s.
    assertThat(plan.hours().getFirst().withoutPool())
        .isEqualTo(new QueueFigures(10, 32_400, 32_400, 10.0, 0.9, 91_000, false));
    assertThat(plan.hours().getFirst().withPool())
        .isEqualTo(new QueueFigures(1, 0, 0, null, 0, 100, true));
    // 36,000 keys at 1/s take 10 h; the other 161 hours of the week make 579,600.
    assertThat(plan.pool()).isEqualTo(new Plan.Pool(1, 579_600, true, 36_000, 72, 10, null));
    // 5 keys/s come into memory and 10 leave: 12,033 / 5 = 2,406.6 s of 3,600. A second unwrap
    // lane,
    // or a second HSM, makes it 10.
    assertThat(plan.loading())
        .isEqualTo(
            new Plan.Loading(
                5.0, 12_033, 2_406.6, 36_000 / 12_033.0, 252_000 / 12_033.0, false, 2));
    Plan.HsmCounts counts = plan.hsmCounts();
    assertThat(counts.withoutPoolForPeak()).isEqualTo(10);
    assertThat(counts.withoutPoolForMean()).isEqualTo(1);
    assertThat(counts.forSigning()).isEqualTo(1);
    assertThat(counts.forLoading()).isEqualTo(2);
    assertThat(counts.forGenerating()).isEqualTo(1);
    // Two HSMs sign 5/s each, so that half of each lane makes 0.5 keys/s: 9/s are missing for an
    // hour, 32,400 keys. Both together make 2/s: 4.5 h.
    assertThat(counts.forEver())
        .isEqualTo(new Plan.Provision(2, true, 32_400, 64.8, 4.5 / 24, 1))
        .isEqualTo(counts.oneWeekFilledAhead());
    assertThat(plan.conclusions())
        .contains(
            "One HSM without the pool answers 1/s: at 10/s the queue of 90 is full after 10 s, and"
                + " 90% of the requests are refused from then on.",
            "For that the pool must hold 36,000 keys (72 MB), which take one HSM 10 h with nothing to"
                + " sign.");
  }

  @Test
  void aLargerMemoryBridgesThePeak() throws PlanInputException {
    // The peak lacks (10 - 5) x 3,600 = 18,000 keys.
    assertThat(plan(smallCase(Map.of(Setting.LOADED_CAPACITY, "18000"))).loading().sufficient())
        .isTrue();
    assertThat(plan(smallCase(Map.of(Setting.LOADED_CAPACITY, "17999"))).loading().sufficient())
        .isFalse();
    assertThat(plan(smallCase(Map.of(Setting.UNWRAP, "0"))).loading().loadedPerSecond()).isNull();
  }

  @Test
  void generatingOnTheOnlyLaneHoldsUpSigning() throws PlanInputException {
    Map<Setting, String> allDay = Map.of(Setting.OTHER_SHARE, "0.5");

    // KG + Si = 900 + 100 ms.
    assertThat(plan(smallCase(allDay)).pool().responseWhileGeneratingMillis()).isEqualTo(1_000.0);
    assertThat(plan(smallCase(allDay)).conclusions())
        .anySatisfy(s -> assertThat(s).contains("an answer can take 1,000 ms"));
    Map<Setting, String> twoLanes = smallCase(allDay);
    twoLanes.put(Setting.LANES, "2");
    assertThat(plan(twoLanes).pool().responseWhileGeneratingMillis()).isNull();
  }

  @Test
  void aPauseThatIsTooShortMakesNoKeys() throws PlanInputException {
    // 2.5/s leave 0.4 - 0.1 = 0.3 s between requests.
    Map<Setting, String> quarter = smallCase(Map.of(Setting.OTHER_SHARE, "0.25"));
    quarter.put(Setting.IDLE_AFTER, "300");
    assertThat(plan(quarter).pool().madePerWeek()).isPositive();
    quarter.put(Setting.IDLE_AFTER, "301");
    assertThat(plan(quarter).pool().madePerWeek()).isZero();
  }

  @Test
  void theThesissCase() throws PlanInputException {
    Plan plan = Planner.plan(PlanSettings.DEFAULTS);

    // 1 / 0.693 s; 1 / 0.020 s.
    assertThat(plan.baseRates().withoutPoolPerSecond()).isEqualTo(1.443, within(0.0005));
    assertThat(plan.baseRates().withPoolPerSecond()).isEqualTo(50);
    assertThat(plan.baseRates().utilisationAtPeakWithPool()).isEqualTo(1);
    // 150 / (50 - 1.443) = 3.089 s.
    QueueFigures peak = plan.hours().getFirst().withoutPool();
    assertThat(peak.secondsUntilQueueFull()).isEqualTo(3.089, within(0.0005));
    // A day uses 1,620,000 keys. Made beside: 6 h x 3,600 x 0.5 / 0.794 s = 13,602 in business
    // hours
    // and 16 h x 3,600 x 0.75 / 0.794 s = 54,408 in the others. 7 x (1,620,000 - 68,010).
    assertThat(plan.pool().sustainable()).isFalse();
    assertThat(plan.pool().keysNeeded()).isBetween(10_863_900L, 10_863_960L);
    // 10,863,930 x 0.794 s / 3,600 = 2,396 h.
    assertThat(plan.pool().idleHoursToFill()).isEqualTo(2_396, within(1.0));
    // x 2,245 bytes.
    assertThat(plan.pool().storageMegabytes()).isEqualTo(24_390, within(1.0));
    // 12,033 / (50 - 14.29) = 337 s.
    assertThat(plan.loading().memoryLastsAtPeakSeconds()).isEqualTo(337, within(0.1));
    assertThat(plan.loading().turnoversPerWeek()).isEqualTo(942.4, within(0.05));

    Plan.HsmCounts counts = plan.hsmCounts();
    // 50 x 0.693 = 34.65; 18.75 x 0.693 = 12.99.
    assertThat(counts.withoutPoolForPeak()).isEqualTo(35);
    assertThat(counts.withoutPoolForMean()).isEqualTo(13);
    assertThat(counts.forSigning()).isEqualTo(1);
    // At 4 HSMs each signs 12.5/s and loads 14.3; at 3 the peak lacks (16.67 - 14.29) x 7,200 =
    // 17,143 keys, more than 12,033.
    assertThat(counts.forLoading()).isEqualTo(4);
    // n - 18.75 x 0.02 lanes make 1 / 0.794 keys/s each: n >= 0.375 + 14.89.
    assertThat(counts.forEver().hsms()).isEqualTo(16);
    assertThat(counts.oneWeekFilledAhead().hsms()).isEqualTo(4);
    assertThat(counts.choices().getFirst().hsms()).isEqualTo(1);
    assertThat(counts.choices().getLast()).isEqualTo(counts.forEver());
    assertThat(plan.conclusions().getFirst())
        .isEqualTo(
            "One HSM without the pool answers 1.44/s: at 50/s the queue of 150 is full after 3.1 s,"
                + " and 97.1% of the requests are refused from then on.");
  }

  @Test
  void theThesissNineAgainstOne() throws PlanInputException {
    assertThat(Planner.plan(PlanSettings.DEFAULTS).thesisCase())
        .satisfiesExactly(
            // (50 - 18) x 7,200 = 230,400 wait; 230,400 / 18 = 12,800 s.
            nine ->
                assertThat(nine)
                    .contains(
                        "18.75/s", "each: 9.38.", "230,400 requests", "3.6 h", "13 for", "35"),
            one ->
                assertThat(one)
                    .contains("10,863,930", "99.8 days", "4 unwrap lanes", "4 HSMs", "16 HSMs"),
            sixMillion -> assertThat(sixMillion).contains("6,300,000", "11,340,000"));
  }

  @Test
  void thePoolsCourseBeginsWithTheKeysNeededAndNeverEndsBelowNone() throws PlanInputException {
    RandomPlans plans = new RandomPlans(20_250_106);
    for (int i = 0; i < 200; i++) {
      Plan plan = Planner.plan(plans.next());

      assertThat(plan.week().depthKeys())
          .hasSize(Week.HOURS + 1)
          .allSatisfy(k -> assertThat(k).isBetween(0.0, (double) plan.pool().keysNeeded()));
      if (!plan.pool().sustainable()) {
        assertThat(plan.week().depthKeys().getFirst()).isEqualTo((double) plan.pool().keysNeeded());
      }
    }
  }

  @Test
  void storageIsProportionalToKeysAndBytes() throws PlanInputException {
    RandomPlans plans = new RandomPlans(20_250_107);
    Random random = new Random(20_250_108);
    for (int i = 0; i < 200; i++) {
      PlanSettings settings = plans.next();
      int bytes = 1 + random.nextInt(5_000);
      Plan once = Planner.plan(bytes(bytes).over(settings));
      Plan threefold = Planner.plan(bytes(3 * bytes).over(settings));

      assertThat(once.pool().storageMegabytes())
          .isEqualTo(once.pool().keysNeeded() * (double) bytes / 1e6, within(1e-6));
      assertThat(threefold.pool().storageMegabytes())
          .isEqualTo(3 * once.pool().storageMegabytes(), within(1e-5));
    }
  }

  private static PlanSettings bytes(int bytes) {
    return PlanSettings.of(Map.of(Setting.BYTES_PER_KEY, String.valueOf(bytes)), null);
  }

  @Test
  void theHsmsFoundAreEnoughAndOneLessIsNot() throws PlanInputException {
    RandomPlans plans = new RandomPlans(20_250_109);
    for (int i = 0; i < 200; i++) {
      PlanSettings settings = plans.next();
      Plan.HsmCounts counts = Planner.plan(settings).hsmCounts();
      int enough = counts.forEver().hsms();
      if (enough > 10_000) {
        continue; // more than the setting allows
      }
      assertThat(lastsForEver(settings, enough)).isTrue();
      assertThat(counts.forEver().sustainable()).isTrue();
      if (enough > 1) {
        assertThat(lastsForEver(settings, enough - 1)).isFalse();
      }
    }
  }

  private static boolean lastsForEver(PlanSettings settings, int hsms) throws PlanInputException {
    Plan plan =
        Planner.plan(
            PlanSettings.of(Map.of(Setting.HSMS, String.valueOf(hsms)), null).over(settings));
    return plan.pool().sustainable()
        && plan.loading().sufficient()
        && plan.baseRates().utilisationAtPeakWithPool() <= 1 + 1e-9;
  }
}
