package org.keywell.plan;

import java.util.List;
import java.util.TreeSet;
import java.util.function.IntPredicate;

/** Finds how many HSMs, or lanes of theirs, suffice. */
final class HsmSearch {
  private static final double ROUNDING = 1e-9;
  private static final double SECONDS_PER_DAY = 86_400;
  private static final int MOST_CHOICES = 6;

  private HsmSearch() {}

  static Plan.HsmCounts counts(PlanInput input) {
    Week week = input.week();
    Device device = input.fleet().device();
    Fleet one = new Fleet(device, 1);
    double highest = week.highestPerSecond();
    int forSigning = ceiling(highest / one.baseRateWithPoolPerSecond());
    int forLoading =
        smallest(n -> loadingSuffices(week, new Fleet(device, n), device.unwrapLanes()));
    int forGenerating =
        smallest(n -> KeyBalance.ofStoredKeys(week, new Fleet(device, n)).isSustainable());
    int toSignAndLoad = Math.max(forSigning, forLoading);
    int forEver = Math.max(toSignAndLoad, forGenerating);
    return new Plan.HsmCounts(
        ceiling(highest / one.baseRateOnTheFlyPerSecond()),
        ceiling(week.meanPerSecond() / one.baseRateOnTheFlyPerSecond()),
        forSigning,
        forLoading,
        forGenerating,
        provision(input, toSignAndLoad),
        provision(input, forEver),
        choices(input, forSigning, forEver));
  }

  /** Whether the HSMs' memory never runs empty in the repeating week. */
  static boolean loadingSuffices(Week week, Fleet fleet, int unwrapLanes) {
    KeyBalance loaded = KeyBalance.ofLoadedKeys(week, fleet.loadedPerSecond(unwrapLanes));
    return loaded.isSustainable() && loaded.keysNeeded(2) <= fleet.loadedKeyCapacity();
  }

  static int unwrapLanesNeeded(Week week, Fleet fleet) {
    return smallest(lanes -> loadingSuffices(week, fleet, lanes));
  }

  private static Plan.Provision provision(PlanInput input, int hsms) {
    Fleet fleet = new Fleet(input.fleet().device(), hsms);
    KeyBalance stored = KeyBalance.ofStoredKeys(input.week(), fleet);
    long keys = stored.keysNeeded();
    return new Plan.Provision(
        hsms,
        stored.isSustainable(),
        keys,
        keys * input.bytesPerStoredKey() / 1e6,
        keys / fleet.generatedWhenIdlePerSecond() / SECONDS_PER_DAY,
        unwrapLanesNeeded(input.week(), fleet));
  }

  /** Returns provisions for both numbers and some between them, at roughly equal ratios. */
  private static List<Plan.Provision> choices(PlanInput input, int fewest, int most) {
    TreeSet<Integer> numbers = new TreeSet<>();
    for (int i = 0; i < MOST_CHOICES; i++) {
      double part = i / (MOST_CHOICES - 1.0);
      numbers.add((int) Math.round(fewest * Math.pow((double) most / fewest, part)));
    }
    return numbers.stream().map(hsms -> provision(input, hsms)).toList();
  }

  private static int ceiling(double number) {
    return Math.max(1, (int) Math.ceil(number - ROUNDING));
  }

  /** Returns the smallest number from 1 on that is enough, if every greater one is enough, too. */
  private static int smallest(IntPredicate enough) {
    int high = 1;
    while (!enough.test(high)) {
      high = Math.multiplyExact(high, 2);
    }
    int low = high / 2; // not enough, or 0
    while (high - low > 1) {
      int middle = low + (high - low) / 2;
      if (enough.test(middle)) {
        high = middle;
      } else {
        low = middle;
      }
    }
    return high;
  }
}
