package org.keywell.acceptance.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.keywell.acceptance.running.HttpApi;
import org.keywell.acceptance.running.KeywellProcess;
import org.keywell.acceptance.running.Outage;
import org.keywell.acceptance.running.PatientCallers;
import org.keywell.acceptance.running.Settings;
import org.keywell.acceptance.running.Site;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.testkit.Await;
import org.keywell.testkit.OwnPostgres;
import org.keywell.testkit.PostgresForTests;
import org.keywell.testkit.SmallDisk;

/**
 * PostgreSQL's disk is full, under load: first its tables cannot grow, then its log cannot, which
 * ends the server as often as it is started. The service refuses, spends no key for nothing, and
 * goes on by itself once there is room.
 */
@Tag("chaos")
@Tag("softhsm")
@Tag("postgresql")
@Tag("process")
@Timeout(240)
final class DiskFullChaosIT {

  private static final KeySpec SPEC = KeySpec.EC_P256;
  private static final int STOCK = 1_500;
  private static final int LOADED = 60;
  private static final int CALLERS = 4;

  /** A loader on a busy machine keeps up with it. */
  private static final Duration PERIOD = Duration.ofMillis(60);

  private static final int DISK_MEGABYTES = 200;
  private static final int WAL_SEGMENT_MEGABYTES = 1;
  private static final Duration FULL = Duration.ofSeconds(3);
  private static final Duration TO_RECOVER = Duration.ofSeconds(30);

  @TempDir Path home;

  @Test
  void nothingIsLostAndTheServiceGoesOnOnceThereIsRoom() throws Exception {
    Path place = Files.createDirectory(home.resolve("disk"));
    try (SmallDisk disk =
            SmallDisk.mount(place, DISK_MEGABYTES)
                .orElseGet(() -> abort("no file system may be mounted here"));
        OwnPostgres server =
            OwnPostgres.initialize(home.resolve("postgres"), WAL_SEGMENT_MEGABYTES)
                .copyTo(place.resolve("postgres"), disk.within())) {
      server.supervise(Duration.ofSeconds(1));
      server.awaitReady();
      PostgresForTests.migrate(server.database());
      try (Site site = Site.create(home, server.database())) {
        site.stock(SPEC, STOCK);
        try (KeywellProcess keywell =
            KeywellProcess.start(settings(site), home.resolve("keywell.log"), "serve")) {
          HttpApi http = keywell.awaitReady();
          PatientCallers callers = PatientCallers.start(http, SPEC, CALLERS, PERIOD);
          callers.awaitSigned(100, TO_RECOVER);

          // All callers' requests may have got as far as their outcomes, which wait for room or the
          // server: one more is refused in any case.
          suffer(
              "tables cannot grow",
              callers,
              disk,
              () -> {
                Thread.sleep(FULL.dividedBy(2));
                callers.askOnce();
              });
          assertThat(server.log()).contains("No space left on device").doesNotContain("PANIC");
          suffer(
              "log cannot grow",
              callers,
              disk,
              () -> {
                endByItsLog(server);
                callers.askOnce();
              });
          assertThat(server.log()).contains("PANIC");

          callers.stop();
          Await.until("ready", () -> http.get("/readyz").status() == 200);
          keywell.terminate();
          assertThat(keywell.awaitExit()).as(keywell.log()).isIn(0, 143);
          assertThat(keywell.log()).doesNotContain("has a defect");
          // What was on record and not begun when the server went is too late when it is back.
          assertThat(callers.others().keySet())
              .contains("503 record-unavailable")
              .isSubsetOf("503 record-unavailable", "504 deadline");
          assertThat(callers.keysSeenTwice()).isZero();
          assertNothingIsLost(site, callers);
        }
      }
    }
  }

  @FunctionalInterface
  private interface Trouble {
    void make() throws Exception;
  }

  private static void suffer(String what, PatientCallers callers, SmallDisk disk, Trouble more)
      throws Exception {
    callers.expectOutage();
    long began = System.nanoTime();
    disk.fill();
    more.make();
    Thread.sleep(FULL);
    long room = System.nanoTime();
    disk.makeRoom();
    callers.awaitSignedInARow(200, TO_RECOVER);
    Outage outage = callers.outage();
    System.out.printf(
        "chaos: disk full, %s: refused after %s; signed again %d ms after there was room; longest"
            + " time without a signature %d ms, with a full disk for %d ms; %s%n",
        what,
        outage.refusedAfter().map(after -> after.toMillis() + " ms").orElse("- (none was)"),
        outage.overAfter(room).toMillis(),
        outage.longest().toMillis(),
        Duration.ofNanos(room - began).toMillis(),
        callers);
    assertThat(outage.refusedAfter()).as("refused; %s", callers).isPresent();
  }

  /** Until a further piece of the log is needed that there is no room for. */
  private static void endByItsLog(OwnPostgres server) {
    PostgresForTests.Database database = server.database();
    try (Connection connection =
            DriverManager.getConnection(
                database.url() + "?socketTimeout=10", database.username(), database.password());
        Statement statement = connection.createStatement()) {
      while (true) {
        statement.execute("SELECT pg_logical_emit_message(false, 'keywell', 'x'), pg_switch_wal()");
      }
    } catch (SQLException e) {
      // It has ended.
    }
  }

  private static void assertNothingIsLost(Site site, PatientCallers callers) throws Exception {
    new Findings(site).requireAllSettled(Map.of());
    assertThat(site.sql().count("SELECT count(*) FROM sign_request WHERE status = 'signed'"))
        .as("signed on record, and answered; %s", callers)
        .isEqualTo(callers.signed());
    assertThat(
            site.sql()
                .count(
                    """
                    SELECT count(*) FROM sign_request
                    WHERE status <> 'signed' AND (key_id IS NOT NULL OR withheld_key_id IS NOT NULL)
                    """))
        .as("keys spent for nothing; %s", callers)
        .isZero();
    long signed = callers.signed();
    // A claim whose answer was lost with its connection is forfeited at the stop.
    assertThat(site.sql().count("SELECT count(*) FROM pool_key"))
        .as("keys left, %s requests are signed", signed)
        .isBetween(STOCK - signed - LOADED, STOCK - signed);
  }

  private static Map<String, String> settings(Site site) {
    Map<String, String> settings = new HashMap<>(Settings.pool(SPEC, LOADED));
    // A server that recovers on a busy machine takes its time.
    settings.put("keywell.database.outcome-patience", "60s");
    return site.settings(settings);
  }
}
