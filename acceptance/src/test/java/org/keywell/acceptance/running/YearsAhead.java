package org.keywell.acceptance.running;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.Map;

/** The clock of a program, by libfaketime; the lane for linters says where that is. */
public final class YearsAhead {

  private static final String LIBRARY = "KEYWELL_TEST_FAKETIME";
  private static final int DAYS_PER_YEAR = 365;

  private YearsAhead() {}

  /** Returns the environment of a program that is to believe so; empty for the present. */
  public static Map<String, String> environment(int years) {
    if (years == 0) {
      return Map.of();
    }
    String library = System.getenv(LIBRARY);
    assumeTrue(library != null, LIBRARY + " is not set: run ./keywell test --lint");
    return Map.of(
        "LD_PRELOAD",
        library,
        "FAKETIME",
        "+%dd".formatted(years * DAYS_PER_YEAR),
        // A JVM waits by this clock: it would hang, and with the library's fix for others, crawl.
        "FAKETIME_DONT_FAKE_MONOTONIC",
        "1",
        "FAKETIME_FORCE_MONOTONIC_FIX",
        "0");
  }
}
