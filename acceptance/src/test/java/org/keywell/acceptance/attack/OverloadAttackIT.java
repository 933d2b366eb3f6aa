package org.keywell.acceptance.attack;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.keywell.acceptance.attack.Callers.Report;
import org.keywell.acceptance.running.Footprint;
import org.keywell.acceptance.running.KeywellProcess;
import org.keywell.acceptance.running.Settings;
import org.keywell.acceptance.running.SignBody;
import org.keywell.acceptance.running.Site;
import org.keywell.keypool.hsm.KeySpec;

/**
 * Far more requests than can be served: as many are served as without the rest, which is refused at
 * once. The callers share the machine with the service: run it where nothing else runs.
 *
 * <p>Where each request has a connection of its own, a part of the peak is lost: on two cores,
 * opening and ending it costs the callers 65 µs and the service 110 µs of a processor for each
 * refusal, which at five times the peak is a third of both cores. Between 0.55 and 0.86 of the peak
 * were signed on machines of this size.
 */
@Tag("attack")
final class OverloadAttackIT {

  private static final KeySpec SPEC = KeySpec.EC_P256;
  private static final int KEYS = Integer.getInteger("keywell.attack.keys", 60_000);
  private static final long MILLIS = 8_000;

  /**
   * What must be reached.
   *
   * @param ofThePeak signatures, as a part of those without the rest
   * @param refusedWithinMillis the 99th percentile of refusals
   */
  private record Bounds(double ofThePeak, double refusedWithinMillis) {}

  private static final Bounds KEPT = new Bounds(0.85, 200);
  private static final Bounds NEW_CONNECTIONS = new Bounds(0.5, 400);
  private static final long FLAT_MEBIBYTES = 150;
  private static final int HANDLES = 1_500;

  @TempDir Path home;

  @Test
  void asManyAreSignedAsWithoutTheRest() throws Exception {
    try (Site site = Site.create(home)) {
      site.stock(SPEC, KEYS);
      try (KeywellProcess keywell =
          KeywellProcess.start(
              List.of("-Xms400m", "-Xmx400m", "-XX:+AlwaysPreTouch"),
              site.settings(
                  Settings.pool(SPEC, 500),
                  Map.of(
                      "keywell.pool.specs.EC-P256.low-water", "250",
                      "keywell.pool.specs.EC-P256.batch-size", "100")),
              home.resolve("keywell.log"),
              "serve")) {
        Callers callers =
            new Callers(keywell.awaitReady().base(), SignBody.of("document").keySpec(SPEC).json());
        warmUp(callers);
        long before = Footprint.residentMebibytes(keywell);
        double peak = peak(callers);

        SoftAssertions all = new SoftAssertions();
        check(
            all,
            keywell,
            "5 times, new connections",
            peak,
            NEW_CONNECTIONS,
            callers.openLoop(5 * peak, MILLIS, false));
        check(
            all,
            keywell,
            "5 times, kept connections",
            peak,
            KEPT,
            callers.openLoop(5 * peak, MILLIS, true));
        check(
            all,
            keywell,
            "2.5 times, kept connections",
            peak,
            KEPT,
            callers.openLoop(2.5 * peak, MILLIS, true));
        check(all, keywell, "600 callers", peak, KEPT, callers.closedLoop(600, MILLIS));
        long grown = Footprint.residentMebibytes(keywell) - before;
        System.out.printf("memory grown by %d MiB%n", grown);
        all.assertThat(grown).as("MiB").isLessThan(FLAT_MEBIBYTES);
        all.assertThat(keywell.log()).doesNotContain("ERROR", "WARN");
        all.assertAll();
      }
    }
  }

  /** The compiler takes a quarter of the processor until each way in has been used for a while. */
  private static void warmUp(Callers callers) throws IOException {
    callers.closedLoop(16, MILLIS);
    callers.openLoop(2_500, 2 * MILLIS, false);
    callers.openLoop(2_500, MILLIS / 2, true);
    callers.closedLoop(600, MILLIS / 2);
  }

  private static double peak(Callers callers) throws IOException {
    Report report = callers.closedLoop(16, MILLIS);
    System.out.println("peak, 16 callers: " + report);
    return report.perSecond(200);
  }

  private static void check(
      SoftAssertions all,
      KeywellProcess keywell,
      String name,
      double peak,
      Bounds bounds,
      Report report)
      throws IOException {
    long handles = Footprint.openFiles(keywell);
    System.out.printf(
        "%s: %s; %.2f of the peak, %d handles%n",
        name, report, report.perSecond(200) / peak, handles);
    all.assertThat(report.perSecond(200) / peak)
        .as("%s: goodput as a part of the peak", name)
        .isGreaterThan(bounds.ofThePeak());
    all.assertThat(report.percentileMillis(503, 99))
        .as("%s: p99 of refusals in ms", name)
        .isLessThan(bounds.refusedWithinMillis());
    all.assertThat(handles).as("%s: file handles", name).isLessThan(HANDLES);
  }
}
