package org.keywell.service;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.service.running.Await;
import org.keywell.service.running.HttpApi;
import org.keywell.service.running.KeywellProcess;
import org.keywell.service.running.PatientCallers;
import org.keywell.service.running.Settings;
import org.keywell.service.running.Site;
import org.keywell.service.running.Sql;
import org.keywell.testkit.Fault;
import org.keywell.testkit.FaultyModule;

/**
 * A device that loses what it held, under load: the service signs again by itself, each accepted
 * request ends on record, and no key is used twice or lost needlessly.
 */
@Timeout(240)
final class FaultyDeviceIT {

  private static final KeySpec SPEC = KeySpec.EC_P256;
  private static final int STOCK = 4_000;
  private static final int LOADED = 60;
  private static final int HANDLERS = 2;
  private static final int BEFORE = 100;
  private static final int AFTERWARDS = 200;
  private static final Duration TO_RECOVER = Duration.ofSeconds(30);

  /** Requests that may fail until a device counts as lost, whose loaded keys would all fail. */
  private static final int OF_A_DEVICE = LOADED / 3;

  /** Requests at hand, where one session is bad. */
  private static final int OF_A_SESSION = HANDLERS;

  private static final long CKR_DEVICE_REMOVED = 0x32;

  @TempDir Path home;

  private interface Trouble {
    void happen(FaultyModule module) throws Exception;
  }

  @Test
  void theDeviceIsGoneForTenSecondsWithItsSessions() throws Exception {
    recovers(
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
        OF_A_DEVICE,
        module -> {
          module.inject("C_UnwrapKey", Fault.forgettingItsSession().times(1));
          awaitFault(module, "C_UnwrapKey");
        });
  }

  @Test
  void everyHandleIsInvalidAfterAFailOver() throws Exception {
    recovers(OF_A_DEVICE, FaultyModule::failOver);
  }

  @Test
  void theLoadedKeysAreLostAndNothingElse() throws Exception {
    recovers(OF_A_DEVICE, FaultyModule::forgetObjects);
  }

  @ParameterizedTest
  @ValueSource(strings = {"C_SignInit", "C_DestroyObject"})
  void oneSessionIsLost(String function) throws Exception {
    recovers(
        OF_A_SESSION,
        module -> {
          module.inject(function, Fault.forgettingItsSession().times(1));
          awaitFault(module, function);
        });
  }

  private static void awaitFault(FaultyModule module, String function) throws Exception {
    long deadline = System.nanoTime() + TO_RECOVER.toNanos();
    while (module.faults(function) == 0) {
      assertThat(System.nanoTime()).as("%s is called", function).isLessThan(deadline);
      Thread.sleep(1);
    }
  }

  private void recovers(int mayFail, Trouble trouble) throws Exception {
    try (FaultyModule module = FaultyModule.create(home.resolve("hsm"));
        Site site = Site.create(home, module.path())) {
      site.stock(SPEC, STOCK);
      try (KeywellProcess keywell = serve(site)) {
        HttpApi http = keywell.awaitReady();
        PatientCallers callers = PatientCallers.start(http, SPEC, 4);
        callers.awaitSigned(BEFORE, TO_RECOVER);

        trouble.happen(module);

        callers.awaitSignedInARow(AFTERWARDS, TO_RECOVER);
        callers.stop();
        assertThat(callers.keysSeenTwice()).isZero();
        Await.until(
            "ready, and no key waits to be destroyed",
            () ->
                http.get("/readyz").status() == 200
                    && http.get("/pool").body().path("orphanedKeys").asInt(-1) == 0);
        keywell.terminate();
        assertThat(keywell.awaitExit()).as(keywell.log()).isIn(0, 143);
        assertRecords(site.sql(), callers.signed());
        assertThat(site.sql().count("SELECT count(*) FROM sign_request WHERE status = 'failed'"))
            .as("failed")
            .isLessThanOrEqualTo(mayFail);
      }
    }
  }

  private static KeywellProcess serve(Site site) throws Exception {
    return KeywellProcess.start(
        site.settings(
            Settings.pool(SPEC, LOADED),
            Map.of(
                "keywell.pool.specs.EC-P256.low-water",
                Integer.toString(LOADED / 2),
                "keywell.pool.specs.EC-P256.batch-size",
                "10",
                "keywell.sign.handler-threads",
                Integer.toString(HANDLERS))),
        site.home().resolve("keywell.log"),
        "serve");
  }

  private static void assertRecords(Sql sql, int signed) throws Exception {
    assertThat(sql.count("SELECT count(*) FROM sign_request WHERE status = 'received'"))
        .as("requests without an end")
        .isZero();
    assertThat(sql.count("SELECT count(*) FROM sign_request WHERE status = 'signed'"))
        .as("signed on record, and answered")
        .isEqualTo(signed);
    assertThat(
            sql.count(
                """
                SELECT count(public_key_sha256) - count(DISTINCT public_key_sha256)
                FROM sign_request
                """))
        .as("keys that two requests had")
        .isZero();
    assertThat(
            sql.count(
                """
                SELECT count(*) FROM sign_request s JOIN pool_key p
                ON s.key_id = p.id OR s.public_key_sha256 = sha256(p.public_key)
                """))
        .as("used keys that are stored again")
        .isZero();
    long stored = sql.count("SELECT count(*) FROM pool_key");
    long used = sql.count("SELECT count(*) FROM sign_request WHERE key_id IS NOT NULL");
    assertThat(sql.count("SELECT count(*) FROM claimed_key")).as("on the ledger").isZero();
    assertThat(STOCK - stored - used)
        .as("keys lost without a signature: stored %s, used %s", stored, used)
        .isBetween(0L, (long) HANDLERS);
  }
}
