package org.keywell.acceptance.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.keywell.acceptance.attack.Callers;
import org.keywell.acceptance.attack.Callers.Report;
import org.keywell.acceptance.running.Footprint;
import org.keywell.acceptance.running.KeywellProcess;
import org.keywell.acceptance.running.Settings;
import org.keywell.acceptance.running.SignBody;
import org.keywell.acceptance.running.Site;
import org.keywell.keypool.hsm.KeySpec;

/**
 * Five times as many requests as the device can sign: as many are signed as without the rest, and
 * the rest is refused at once. The device signs about 50 times a second, as that of the thesis; the
 * processor is not the limit (for that see {@code OverloadAttackIT}). Seconds by default, where no
 * figure decides; {@code -Dkeywell.chaos.overload=PT60S} says otherwise.
 */
@Tag("chaos")
@Tag("softhsm")
@Tag("postgresql")
@Tag("process")
@Timeout(900)
final class OverloadChaosIT {

  private static final Duration OVERLOAD =
      Duration.parse(System.getProperty("keywell.chaos.overload", "PT4S"));

  private static final boolean FIGURES_DECIDE = OVERLOAD.compareTo(Duration.ofMinutes(1)) >= 0;
  private static final KeySpec SPEC = KeySpec.EC_P256;
  private static final int CALLERS = 4;
  private static final double TIMES = 5;
  private static final Duration PEAK = Duration.ofSeconds(4);
  private static final Duration WARM_UP = Duration.ofSeconds(10);
  private static final double OF_THE_PEAK = 0.9;
  private static final double REFUSED_WITHIN_MILLIS = 100;
  private static final long FLAT_MEBIBYTES = 100;

  @TempDir Path home;

  @Test
  void whatIsTooMuchIsRefusedAtOnce() throws Exception {
    try (Site site = Site.create(home)) {
      site.stock(SPEC, (int) (60 * (2 * OVERLOAD.toSeconds() + 2 * WARM_UP.toSeconds() + 10)));
      try (KeywellProcess keywell =
          KeywellProcess.start(settings(site), home.resolve("keywell.log"), "serve")) {
        Callers callers =
            new Callers(keywell.awaitReady().base(), SignBody.of("document").keySpec(SPEC).json());
        callers.closedLoop(CALLERS, PEAK.toMillis());
        Report normal = callers.closedLoop(CALLERS, PEAK.toMillis());
        double peak = normal.perSecond(200);
        System.out.println("chaos: overload: without it " + normal);
        assertThat(peak).as("signatures a second; %s", normal).isPositive();
        if (FIGURES_DECIDE) {
          // A refusal's first times take a multiple of its later ones, before they are compiled.
          callers.openLoop(TIMES * peak, WARM_UP.toMillis(), true);
          callers.openLoop(TIMES * peak, WARM_UP.toMillis(), false);
        }
        long before = Footprint.residentMebibytes(keywell);
        overload(callers, "kept connections", peak, true);
        overload(callers, "a connection for each request", peak, false);
        long grown = Footprint.residentMebibytes(keywell) - before;
        System.out.printf("chaos: overload: memory grown by %d MiB%n", grown);
        if (FIGURES_DECIDE) {
          assertThat(grown).as("MiB").isLessThan(FLAT_MEBIBYTES);
        }
        assertThat(keywell.log()).doesNotContain("ERROR");
        keywell.terminate();
        assertThat(keywell.awaitExit()).as(keywell.log()).isIn(0, 143);
      }
      new Findings(site).requireAllSettled(Map.of());
    }
  }

  private static void overload(Callers callers, String how, double peak, boolean kept)
      throws IOException {
    Report report = callers.openLoop(TIMES * peak, OVERLOAD.toMillis(), kept);
    System.out.printf(
        "chaos: overload: %.0f times for %d s, %s: %s, too late %.1f/s; %.2f of the peak%n",
        TIMES,
        OVERLOAD.toSeconds(),
        how,
        report,
        report.perSecond(504),
        report.perSecond(200) / peak);
    assertThat(report.failures()).as("without an answer").isEmpty();
    assertThat(Stream.of(report.results()).map(Callers.Result::status))
        .as("each is signed, refused, or found to be too late for the device")
        .isSubsetOf(200, 503, 504);
    if (FIGURES_DECIDE) {
      assertThat(report.perSecond(200) / peak).as("goodput").isGreaterThan(OF_THE_PEAK);
      assertThat(report.percentileMillis(503, 99))
          .as("p99 of refusals in ms")
          .isLessThan(REFUSED_WITHIN_MILLIS);
    }
  }

  private Map<String, String> settings(Site site) throws IOException {
    Map<String, String> more = new HashMap<>(Settings.pool(SPEC, 500));
    more.put("keywell.hsm.profile", FiftyASecond.profile(home));
    return site.settings(more);
  }
}
