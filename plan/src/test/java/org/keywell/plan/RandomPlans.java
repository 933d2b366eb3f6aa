package org.keywell.plan;

import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import java.util.Random;

/** Settings of all sorts, the same in every run. */
final class RandomPlans {
  private final Random random;

  RandomPlans(long seed) {
    random = new Random(seed);
  }

  /** Half of them with a profile, half with a table of rates. */
  PlanSettings next() {
    Map<Setting, String> texts = new EnumMap<>(Setting.class);
    put(texts, Setting.GENERATION, 1 + random.nextDouble(3_000));
    put(texts, Setting.WRAP, random.nextDouble(200));
    put(texts, Setting.UNWRAP, random.nextBoolean() ? 0 : random.nextDouble(200));
    put(texts, Setting.SIGNING, 1 + random.nextDouble(100));
    put(texts, Setting.IDLE_AFTER, random.nextInt(4) == 0 ? random.nextDouble(1_000) : 0);
    put(texts, Setting.BYTES_PER_KEY, 1 + random.nextInt(10_000));
    put(texts, Setting.LANES, 1 + random.nextInt(5));
    put(texts, Setting.GENERATOR_THREADS, 1 + random.nextInt(5));
    put(texts, Setting.UNWRAP_LANES, 1 + random.nextInt(5));
    put(texts, Setting.LOADED_CAPACITY, 1 + random.nextInt(100_000));
    put(texts, Setting.QUEUE_LIMIT, 1 + random.nextInt(500));
    put(texts, Setting.HSMS, 1 + random.nextInt(20));
    if (random.nextBoolean()) {
      return PlanSettings.of(texts, Week.ofRates(rates()));
    }
    put(texts, Setting.PEAK_RATE, 0.01 + Math.pow(10, 3 * random.nextDouble() - 1));
    put(texts, Setting.BUSINESS_SHARE, random.nextDouble());
    put(texts, Setting.OTHER_SHARE, random.nextDouble());
    texts.put(Setting.BUSINESS_DAYS, random.nextBoolean() ? "mon-fri" : "tue,sat-sun");
    texts.put(Setting.PEAK_HOURS, random.nextBoolean() ? "3" : "0-1,9-12,23-24");
    return PlanSettings.of(texts, null);
  }

  private double[] rates() {
    double highest = Math.pow(10, 3 * random.nextDouble() - 1);
    double[] rates = new double[Week.HOURS];
    Arrays.setAll(rates, h -> random.nextInt(3) == 0 ? 0 : highest * random.nextDouble());
    rates[random.nextInt(Week.HOURS)] = highest;
    return rates;
  }

  private static void put(Map<Setting, String> texts, Setting setting, double value) {
    texts.put(
        setting,
        setting.form() == Setting.Form.WHOLE ? String.valueOf((int) value) : String.valueOf(value));
  }
}
