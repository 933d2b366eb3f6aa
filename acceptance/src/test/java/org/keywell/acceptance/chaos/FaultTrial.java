package org.keywell.acceptance.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.keywell.acceptance.running.HttpApi;
import org.keywell.acceptance.running.KeywellProcess;
import org.keywell.acceptance.running.Outage;
import org.keywell.acceptance.running.PatientCallers;
import org.keywell.acceptance.running.Settings;
import org.keywell.acceptance.running.Site;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.testkit.Await;
import org.keywell.testkit.FaultyModule;
import org.keywell.testkit.Sql;

/** A service under load, on a device of its own that fails on command. */
final class FaultTrial implements AutoCloseable {

  static final int STOCK = 1_500;
  static final int LOADED = 60;
  static final int HANDLERS = 2;
  static final int CALLERS = 4;
  static final Duration TO_RECOVER = Duration.ofSeconds(30);

  private static final KeySpec SPEC = KeySpec.EC_P256;
  private static final String POOL = "keywell.pool.specs.EC-P256.";
  private static final Duration PERIOD = Duration.ofMillis(20);
  private static final int BEFORE = 100;
  private static final int AFTERWARDS = 200;

  /** Which kinds of key are pooled. The device proves itself with RSA-2048 in either case. */
  enum Pools {
    EC_ALONE,
    EC_AND_RSA
  }

  /** What happens to the device. */
  @FunctionalInterface
  interface Trouble {
    /** Returns once it is over. */
    void happen(FaultyModule module) throws Exception;
  }

  private final FaultyModule module;
  private final Site site;
  private final KeywellProcess keywell;
  private final HttpApi http;
  private final PatientCallers callers;
  private long beganNanos;
  private long overNanos;

  private FaultTrial(FaultyModule module, Site site, KeywellProcess keywell) throws Exception {
    this.module = module;
    this.site = site;
    this.keywell = keywell;
    this.http = keywell.awaitReady();
    this.callers = PatientCallers.start(http, SPEC, CALLERS, PERIOD);
    callers.awaitSigned(BEFORE, TO_RECOVER);
  }

  /**
   * Starts the service and its callers, and returns when all goes well.
   *
   * @param more settings of the service
   */
  static FaultTrial begin(Path home, Pools pools, Map<String, String> more) throws Exception {
    FaultyModule module = FaultyModule.create(home.resolve("hsm"));
    Site site = Site.create(home, module.path());
    site.stock(SPEC, STOCK);
    KeywellProcess keywell =
        KeywellProcess.start(settings(site, pools, more), home.resolve("keywell.log"), "serve");
    try {
      return new FaultTrial(module, site, keywell);
    } catch (Exception | AssertionError e) {
      keywell.close();
      throw e;
    }
  }

  private static Map<String, String> settings(Site site, Pools pools, Map<String, String> more) {
    Map<String, String> settings = new HashMap<>(Settings.pool(SPEC, LOADED));
    settings.put(POOL + "low-water", Integer.toString(LOADED / 2));
    settings.put(POOL + "batch-size", "10");
    settings.put("keywell.sign.handler-threads", Integer.toString(HANDLERS));
    settings.putAll(more);
    Map<String, String> all = site.settings(settings);
    if (pools == Pools.EC_ALONE) {
      all.keySet().removeIf(name -> name.startsWith("keywell.pool.specs.RSA-2048."));
    }
    return all;
  }

  FaultyModule module() {
    return module;
  }

  KeywellProcess keywell() {
    return keywell;
  }

  PatientCallers callers() {
    return callers;
  }

  Sql sql() {
    return site.sql();
  }

  void suffer(Trouble trouble) throws Exception {
    callers.expectOutage();
    beganNanos = System.nanoTime();
    trouble.happen(module);
    overNanos = System.nanoTime();
  }

  /**
   * Waits until the service signs again by itself; ends it, and looks at its records.
   *
   * @param name of the fault, for the report
   * @param mayFail how many requests may have failed on record
   */
  void recovers(String name, int mayFail) throws Exception {
    callers.awaitSignedInARow(AFTERWARDS, TO_RECOVER);
    callers.stop();
    Await.until(
        "ready, and no key waits to be destroyed",
        () ->
            http.get("/readyz").status() == 200
                && http.get("/pool").body().path("orphanedKeys").asInt(-1) == 0);
    keywell.terminate();
    assertThat(keywell.awaitExit()).as(keywell.log()).isIn(0, 143);
    Outage outage = callers.outage();
    long failed = count("SELECT count(*) FROM sign_request WHERE status = 'failed'");
    long lost =
        STOCK
            - count("SELECT count(*) FROM pool_key")
            - count("SELECT count(*) FROM sign_request WHERE key_id IS NOT NULL");
    System.out.printf(
        "chaos: fault %s: refused after %s; signed again %d ms after it began, %d ms after it was"
            + " over; longest time without a signature %d ms; %d requests failed on record;"
            + " accepted without an outcome %d, keys twice %d, keys lost needlessly %d%n",
        name,
        outage.refusedAfter().map(after -> after.toMillis() + " ms").orElse("- (none was)"),
        outage.overAfter(beganNanos).toMillis(),
        outage.overAfter(overNanos).toMillis(),
        outage.longest().toMillis(),
        failed,
        count("SELECT count(*) FROM sign_request WHERE status = 'received'"),
        callers.keysSeenTwice(),
        Math.max(0, lost - HANDLERS));
    assertThat(callers.keysSeenTwice()).isZero();
    new Findings(site).requireAllSettled(Map.of());
    assertThat(count("SELECT count(*) FROM sign_request WHERE status = 'signed'"))
        .as("signed on record, and answered")
        .isEqualTo(callers.signed());
    assertThat(failed).as("failed; %s", callers).isLessThanOrEqualTo(mayFail);
    assertThat(lost)
        .as("keys lost without a signature: those that requests had in their hands at most")
        .isBetween(0L, (long) HANDLERS);
    assertThat(module.finalizedInUse()).as("C_Finalize during a call").isZero();
  }

  private long count(String query) throws SQLException {
    return site.sql().count(query);
  }

  /** The callers end with the service, at the latest. */
  @Override
  public void close() {
    module.close();
    keywell.close();
    site.close();
  }
}
