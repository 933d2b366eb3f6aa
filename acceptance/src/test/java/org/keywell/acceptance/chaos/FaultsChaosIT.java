package org.keywell.acceptance.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.keywell.testkit.Fault;
import org.keywell.testkit.FaultyModule;

/**
 * A device that loses what it held, or hangs, under load: the service signs again by itself, each
 * accepted request ends on record, and no key is used twice or lost needlessly. Calls that never
 * return are in {@link org.keywell.acceptance.HangIT}.
 */
@Tag("chaos")
@Tag("softhsm")
@Tag("postgresql")
@Tag("process")
@Timeout(240)
@ParameterizedClass
@MethodSource("pools")
final class FaultsChaosIT {

  /** Requests that may fail until a device counts as lost, whose loaded keys would all fail. */
  private static final int OF_A_DEVICE = FaultTrial.LOADED / 3;

  /** Requests that sign threads work on, where one session is bad. */
  private static final int OF_A_SESSION = FaultTrial.HANDLERS;

  /** Requests at hand, queued ones too: those fail without a key when a call exceeds its limit. */
  private static final int AT_HAND = FaultTrial.CALLERS;

  private static final long CKR_DEVICE_MEMORY = 0x31;
  private static final long CKR_DEVICE_REMOVED = 0x32;
  private static final Duration CALL_LIMIT = Duration.ofSeconds(3);
  private static final Duration STOP_LIMIT = Duration.ofSeconds(6);

  @TempDir Path home;
  private final FaultTrial.Pools pools;

  FaultsChaosIT(FaultTrial.Pools pools) {
    this.pools = pools;
  }

  /** Every fault with each of them in the chaos lane; by default, with the one alone. */
  static Stream<FaultTrial.Pools> pools() {
    return Boolean.getBoolean("keywell.chaos.all-pools")
        ? Stream.of(FaultTrial.Pools.values())
        : Stream.of(FaultTrial.Pools.EC_ALONE);
  }

  @Test
  void theDeviceIsGoneForTenSecondsWithItsSessions() throws Exception {
    recovers(
        "device gone for 10 s, and its sessions",
        OF_A_DEVICE,
        module -> {
          module.gone(CKR_DEVICE_REMOVED);
          module.forgetSessions();
          Thread.sleep(10_000);
          module.back();
        });
  }

  @Test
  void theSessionThatOwnsTheLoadedKeysIsLost() throws Exception {
    recovers(
        "session of the loaded keys lost",
        OF_A_DEVICE,
        module -> forgetSession(module, "C_UnwrapKey"));
  }

  @Test
  void everyHandleIsInvalidAfterAFailOver() throws Exception {
    recovers("fail-over, all handles renumbered", OF_A_DEVICE, FaultyModule::failOver);
  }

  @Test
  void theLoadedKeysAreLostAndNothingElse() throws Exception {
    recovers("loaded keys lost", OF_A_DEVICE, FaultyModule::forgetObjects);
  }

  @ParameterizedTest
  @ValueSource(strings = {"C_SignInit", "C_DestroyObject"})
  void oneSessionIsLost(String function) throws Exception {
    recovers(
        "one session lost in " + function, OF_A_SESSION, module -> forgetSession(module, function));
  }

  /** What it returns in the end is given to nobody: its request has been answered. */
  @Test
  void oneSignatureTakesLongerThanTheLimit() throws Exception {
    try (FaultTrial trial = begin(Map.of())) {
      trial.suffer(module -> hang(module, "C_Sign", CALL_LIMIT.plusSeconds(3)));
      trial.recovers("one C_Sign hangs for 6 s, 3 s being the limit", AT_HAND);
      assertThat(
              trial
                  .sql()
                  .count(
                      """
                      SELECT count(*) FROM sign_request
                      WHERE failure = 'hsm-unavailable' AND key_id IS NOT NULL
                      """))
          .as("the request whose call hung, with its key")
          .isEqualTo(1);
    }
  }

  @Test
  void whileKeysCannotBeLoadedRequestsGetKeysOfTheirOwn() throws Exception {
    try (FaultTrial trial = begin(Map.of("keywell.pool.when-empty", "generate"))) {
      trial.suffer(module -> {
        int before = trial.callers().signed();
        // A busy machine ends the hang late; beyond the limit it would be another fault.
        hang(module, "C_UnwrapKey", CALL_LIMIT.minusSeconds(1));
        assertThat(trial.callers().signed() - before)
            .as("signed meanwhile")
            .isGreaterThan(2 * FaultTrial.LOADED);
      });
      trial.recovers("C_UnwrapKey hangs for 2 s, keys are made on the fly", 0);
    }
  }

  /** Loaded keys are used up, then everybody is refused at the door: on record there is little. */
  @Test
  void theDeviceHasNoRoomForAnotherKey() throws Exception {
    try (FaultTrial trial = begin(Map.of("keywell.pool.when-empty", "generate"))) {
      trial.suffer(module -> {
        module.inject("C_UnwrapKey", Fault.returning(CKR_DEVICE_MEMORY));
        module.inject("C_GenerateKeyPair", Fault.returning(CKR_DEVICE_MEMORY));
        Thread.sleep(Duration.ofSeconds(8));
        module.clear("C_UnwrapKey");
        module.clear("C_GenerateKeyPair");
      });
      trial.recovers("no room for another key for 8 s, " + pools, OF_A_DEVICE);
      assertThat(
              trial
                  .keywell()
                  .log()
                  .lines()
                  .filter(line -> line.contains("no room for another key")))
          .as("lines that tell of it, one for each function")
          .hasSizeBetween(1, 2);
      assertThat(trial.keywell().log()).doesNotContain("the HSM did not generate a key");
      assertThat(trial.callers().others().getOrDefault("503 hsm-unavailable", 0))
          .as("refused at the door")
          .isPositive();
    }
  }

  @Test
  void aGenerationThatHangsDoesNotHoldUpTheStop() throws Exception {
    try (FaultTrial trial =
        begin(
            Map.of(
                "keywell.pool.specs.EC-P256.max-stored",
                Integer.toString(2 * FaultTrial.STOCK),
                "keywell.pool.idle-after",
                "0s",
                "keywell.stop-limit",
                STOP_LIMIT.toSeconds() + "s"))) {
      trial.module().inject("C_GenerateKeyPair", Fault.hanging());
      awaitFault(trial.module(), "C_GenerateKeyPair");
      long began = System.nanoTime();
      trial.keywell().terminate();
      int code = trial.keywell().awaitExit();
      Duration took = Duration.ofNanos(System.nanoTime() - began);
      trial.callers().stop();
      System.out.printf(
          "chaos: fault C_GenerateKeyPair hangs at the stop: ended after %d ms with code %d%n",
          took.toMillis(), code);
      assertThat(took).isLessThan(STOP_LIMIT.plusSeconds(3));
      assertThat(code).as(trial.keywell().log()).isIn(0, 75, 143);
      assertThat(trial.sql().count("SELECT count(*) FROM sign_request WHERE status = 'received'"))
          .isZero();
    }
  }

  private FaultTrial begin(Map<String, String> more) throws Exception {
    Map<String, String> all = new HashMap<>(more);
    all.put("keywell.hsm.call-limit", CALL_LIMIT.toSeconds() + "s");
    return FaultTrial.begin(home, pools, all);
  }

  private void recovers(String name, int mayFail, FaultTrial.Trouble trouble) throws Exception {
    try (FaultTrial trial = FaultTrial.begin(home, pools, Map.of())) {
      trial.suffer(trouble);
      trial.recovers(name + ", " + pools, mayFail);
    }
  }

  private static void forgetSession(FaultyModule module, String function) throws Exception {
    module.inject(function, Fault.forgettingItsSession().times(1));
    awaitFault(module, function);
  }

  private static void hang(FaultyModule module, String function, Duration duration)
      throws Exception {
    module.inject(function, Fault.hanging().times(1));
    awaitFault(module, function);
    Thread.sleep(duration);
    module.clear(function);
  }

  private static void awaitFault(FaultyModule module, String function) throws Exception {
    long deadline = System.nanoTime() + FaultTrial.TO_RECOVER.toNanos();
    while (module.faults(function) == 0) {
      assertThat(System.nanoTime()).as("%s is called", function).isLessThan(deadline);
      Thread.sleep(1);
    }
  }
}
