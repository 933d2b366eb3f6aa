package org.keywell.acceptance.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.keywell.acceptance.running.Footprint;
import org.keywell.acceptance.running.HttpApi;
import org.keywell.acceptance.running.KeywellProcess;
import org.keywell.acceptance.running.PatientCallers;
import org.keywell.acceptance.running.Settings;
import org.keywell.acceptance.running.Site;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.testkit.Await;
import org.keywell.testkit.Fault;
import org.keywell.testkit.FaultyModule;

/**
 * Half of what the service can do, on a device that fails a little all the time: afterwards it
 * holds no more than before. For seconds by default; {@code -Dkeywell.chaos.soak=PT20M} and {@code
 * -Dkeywell.chaos.seed} say otherwise.
 */
@Tag("chaos")
@Tag("softhsm")
@Tag("postgresql")
@Tag("process")
@Timeout(7200)
final class SoakChaosIT {

  private static final KeySpec SPEC = KeySpec.EC_P256;
  private static final Duration LENGTH =
      Duration.parse(System.getProperty("keywell.chaos.soak", "PT15S"));
  private static final long SEED = Long.getLong("keywell.chaos.seed", 20_261_122L);
  private static final int CALLERS = 4;
  private static final Duration WARM_UP = Duration.ofSeconds(5);
  private static final Duration TO_RECOVER = Duration.ofSeconds(60);
  private static final long LONGEST_PAUSE_MILLIS = 3_000;

  /**
   * Of the faults, each so many-th takes all sessions and keys: every minute and a half, since a
   * device that was not well for a minute is reopened after longer and longer pauses.
   */
  private static final int GREAT_FAULT = 60;

  /** What SoftHSM 2.6.1 keeps of each session object that was destroyed, until C_Finalize. */
  private static final long LEAKED_BYTES_EACH = 240;

  private static final List<String> SMALL =
      List.of("C_Sign", "C_SignInit", "C_UnwrapKey", "C_DestroyObject", "C_GenerateKeyPair");

  /** Its session owns the loaded keys: to lose that one is no small fault. */
  private static final String OF_THE_OWNER = "C_UnwrapKey";

  private static final long CKR_DEVICE_ERROR = 0x30;

  @TempDir Path home;

  /** What the process holds at one moment. */
  private record Holds(long heapMebibytes, long residentMebibytes, long files, long threads) {
    static Holds now(KeywellProcess process) throws IOException, InterruptedException {
      return new Holds(
          Footprint.liveHeapMebibytes(process),
          Footprint.residentMebibytes(process),
          Footprint.openFiles(process),
          Footprint.threads(process));
    }
  }

  @Test
  void holdsNoMoreAfterwards() throws Exception {
    try (FaultyModule module = FaultyModule.create(home.resolve("hsm"));
        Site site = Site.create(home, module.path());
        KeywellProcess keywell =
            KeywellProcess.start(
                List.of("-Xms256m", "-Xmx256m"),
                settings(site),
                home.resolve("keywell.log"),
                "serve")) {
      HttpApi http = keywell.awaitReady();
      Duration period = halfOfCapacity(http);
      PatientCallers callers = PatientCallers.start(http, SPEC, CALLERS, period);
      callers.awaitSignedInARow(100, TO_RECOVER);
      Holds before = Holds.now(keywell);

      int faults = fail(module);

      callers.awaitSignedInARow(100, TO_RECOVER);
      Holds after = Holds.now(keywell);
      callers.stop();
      Await.until(
          "no key waits to be destroyed",
          () -> http.get("/pool").body().path("orphanedKeys").asInt(-1) == 0);
      keywell.terminate();
      assertThat(keywell.awaitExit()).isIn(0, 143);
      new Findings(site).requireAllSettled(Map.of());
      long destroyed = module.calls("C_DestroyObject");
      System.out.printf(
          "chaos: soak of %s (seed %d), a signature every %d ms, %d faults: %s; before %s,"
              + " after %s, %d objects destroyed%n",
          LENGTH, SEED, period.toMillis() / CALLERS, faults, callers, before, after, destroyed);
      assertThat(callers.keysSeenTwice()).isZero();
      assertThat(after.heapMebibytes()).isLessThan(before.heapMebibytes() + 24);
      assertThat(after.files()).isLessThan(before.files() + 16);
      assertThat(after.threads()).isLessThan(before.threads() + 8);
      assertThat(after.residentMebibytes())
          .isLessThan(before.residentMebibytes() + 128 + ((destroyed * LEAKED_BYTES_EACH) >> 20));
      assertThat(module.finalizedInUse()).isZero();
    }
  }

  /** How often each caller is to ask for the service to have half of the work that it can do. */
  private static Duration halfOfCapacity(HttpApi http) throws InterruptedException {
    PatientCallers flatOut = PatientCallers.start(http, SPEC, CALLERS, Duration.ZERO);
    flatOut.awaitSigned(500, TO_RECOVER);
    int before = flatOut.signed();
    Thread.sleep(WARM_UP);
    long each = WARM_UP.dividedBy(Math.max(1, flatOut.signed() - before)).toNanos();
    flatOut.stop();
    return Duration.ofNanos(2 * CALLERS * each);
  }

  private static int fail(FaultyModule module) throws InterruptedException {
    Random random = new Random(SEED);
    long end = System.nanoTime() + LENGTH.toNanos();
    int faults = 0;
    while (System.nanoTime() < end) {
      Thread.sleep(random.nextLong(LONGEST_PAUSE_MILLIS));
      // A fault that no call has met by now is over, rather than wait for the next proof.
      SMALL.forEach(module::clear);
      faults++;
      if (faults % GREAT_FAULT == 0) {
        module.failOver();
      } else {
        String function = SMALL.get(random.nextInt(SMALL.size()));
        module.inject(function, small(function, random).times(1));
      }
    }
    SMALL.forEach(module::clear);
    return faults;
  }

  private static Fault small(String function, Random random) {
    boolean mayForget = !function.equals(OF_THE_OWNER);
    return switch (random.nextInt(mayForget ? 3 : 2)) {
      case 0 -> Fault.returning(CKR_DEVICE_ERROR);
      case 1 -> Fault.delayedBy(Duration.ofMillis(300));
      default -> Fault.forgettingItsSession();
    };
  }

  private static Map<String, String> settings(Site site) {
    Map<String, String> pool = new HashMap<>(Settings.pool(SPEC, 60));
    pool.put("keywell.pool.specs.EC-P256.low-water", "30");
    pool.put("keywell.pool.specs.EC-P256.batch-size", "15");
    pool.put("keywell.pool.specs.EC-P256.max-stored", "2000");
    pool.put("keywell.pool.idle-after", "0s");
    pool.put("keywell.pool.when-empty", "generate");
    pool.put("keywell.sign.handler-threads", "2");
    return site.settings(pool);
  }
}
