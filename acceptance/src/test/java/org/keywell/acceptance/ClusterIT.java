package org.keywell.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.keywell.acceptance.running.Clients;
import org.keywell.acceptance.running.HttpApi;
import org.keywell.acceptance.running.KeywellProcess;
import org.keywell.acceptance.running.Settings;
import org.keywell.acceptance.running.SignBody;
import org.keywell.acceptance.running.Site;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.testkit.Await;
import org.keywell.testkit.Scrape;
import org.keywell.testkit.Sql;

/** Two instances on one pool; one is killed under load and not started again. */
@Tag("process")
@Tag("fault")
final class ClusterIT {

  private static final KeySpec SPEC = KeySpec.EC_P256;
  private static final int STOCK = 800;
  private static final int LOADED = 60;

  /** Ten seconds without its lock, two looks, and a slow machine. */
  private static final Duration ADOPTED_WITHIN = Duration.ofSeconds(30);

  private static final Pattern VANISHED =
      Pattern.compile(
          "killed has vanished: (\\d+) requests in flight closed as failed, (\\d+) keys");

  @TempDir Path home;

  @Test
  void whatAKilledInstanceLeavesIsSettledByTheOther() throws Exception {
    try (Site site = Site.create(home)) {
      site.stock(SPEC, STOCK);
      bootstrap(site);
      Sql sql = site.sql();
      try (KeywellProcess other = start(site, "other");
          KeywellProcess killed = start(site, "killed")) {
        HttpApi http = other.awaitReady();
        UUID open = killUnderLoad(killed, sql);
        long received = open(sql);
        long claimed = claimed(sql);
        long began = System.nanoTime();
        try (ExecutorService caller = Executors.newSingleThreadExecutor()) {
          // The other has not got it: it waits for the record to be closed.
          Future<HttpApi.Answer> repeated = caller.submit(() -> http.sign(body(open)));
          assertThat(repeated.get(ADOPTED_WITHIN.toSeconds(), TimeUnit.SECONDS).problem())
              .isEqualTo("interrupted");
        }
        Await.until("the other has settled it", () -> VANISHED.matcher(other.log()).find());
        assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(ADOPTED_WITHIN);
        assertTold(other, received, claimed);
        assertThat(open(sql)).isZero();
        assertThat(claimed(sql)).isZero();
        HttpApi.Answer next = http.sign(body(UUID.randomUUID()));
        assertThat(next.status()).as(next.body() + "\n" + other.log()).isEqualTo(200);

        assertBalanced(site);
        try (KeywellProcess again = start(site, "killed")) {
          again.awaitReady();
          assertThat(again.log()).doesNotContain("ended without order");
          assertSeen(site, 0, "killed, ", ": EC-P256, 60 keys expected, 60 found");
          terminate(again);
        }
        terminate(other);
      }
      assertBalanced(site);
      // What nobody's statement did is seen.
      assertThat(sql.update("DELETE FROM pool_key WHERE id = (SELECT min(id) FROM pool_key)"))
          .isEqualTo(1);
      assertSeen(site, 3, "-1 stored, +0 claimed", "NOT each key is accounted for");
      assertCannotLook(site);
    }
  }

  /** One process at a time may make what a token lacks. */
  private void bootstrap(Site site) throws Exception {
    try (KeywellProcess process =
        KeywellProcess.start(site.settings(), home.resolve("bootstrap.log"), "bootstrap")) {
      assertThat(process.awaitExit()).as(process.log()).isZero();
    }
  }

  private KeywellProcess start(Site site, String name) throws Exception {
    return KeywellProcess.start(
        site.settings(
            Settings.pool(SPEC, LOADED),
            // As different machines have them.
            Map.of("keywell.instance", name, "keywell.http.drain", "0s")),
        home.resolve(name + "-" + System.nanoTime() + ".log"),
        "serve");
  }

  /** Returns a request that is on record as received. */
  private UUID killUnderLoad(KeywellProcess killed, Sql sql) throws Exception {
    HttpApi http = killed.awaitReady();
    try (Clients clients = Clients.start(http, SPEC, 6)) {
      clients.awaitAnswers(60);
      killed.kill();
      clients.join();
    }
    Await.until(
        "the database has dropped its connections",
        () ->
            sql.count(
                    "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'keywell killed'")
                == 0);
    if (open(sql) == 0) {
      // It was killed between two requests: one as it would have left it.
      insertReceived(sql);
    }
    return UUID.fromString(
        sql.text("SELECT request_id FROM sign_request WHERE status = 'received' LIMIT 1"));
  }

  private static void insertReceived(Sql sql) throws Exception {
    sql.update(
        """
        WITH record AS (
        INSERT INTO sign_request
          (request_id, request_sha256, status, instance, caller, test_id, pool_mode,
           digest_algorithm, digest, signature_algorithm, key_spec, request_received)
        SELECT gen_random_uuid(), request_sha256, 'received', instance, caller, test_id, pool_mode,
          digest_algorithm, digest, signature_algorithm, key_spec, now()
        FROM sign_request WHERE instance = 'killed' LIMIT 1
        RETURNING request_id, request_received)
        INSERT INTO known_request SELECT * FROM record
        """);
  }

  private static SignBody body(UUID id) {
    return SignBody.of(id.toString()).requestId(id).keySpec(SPEC).deadlineMillis(30_000);
  }

  private static long open(Sql sql) throws Exception {
    return sql.count(
        "SELECT count(*) FROM sign_request WHERE status = 'received' AND instance = 'killed'");
  }

  private static long claimed(Sql sql) throws Exception {
    return sql.count("SELECT count(*) FROM claimed_key WHERE instance = 'killed'");
  }

  private static void assertTold(KeywellProcess other, long requests, long keys) throws Exception {
    Matcher told = VANISHED.matcher(other.log());
    assertThat(told.find()).isTrue();
    assertThat(Long.parseLong(told.group(1))).isEqualTo(requests);
    assertThat(Long.parseLong(told.group(2))).isEqualTo(keys).isPositive();
    Scrape metrics = Scrape.parse(other.management().text("/actuator/prometheus"));
    assertThat(metrics.value("keywell_sign_interrupted_total")).isEqualTo((double) requests);
    assertThat(metrics.value("keywell_keys_forfeited_total")).isEqualTo((double) keys);
  }

  private void assertBalanced(Site site) throws Exception {
    assertSeen(site, 0, "each key is accounted for");
  }

  /** What {@code ./keywell check} says. */
  private void assertSeen(Site site, int exitCode, String... lines) throws Exception {
    long end = System.nanoTime() + ADOPTED_WITHIN.toNanos();
    while (true) {
      try (KeywellProcess check =
          KeywellProcess.start(site.settings(), home.resolve("check.log"), "check")) {
        int code = check.awaitExit();
        assertThat(code).as(check.log()).isEqualTo(exitCode);
        // Instances report when no request was at hand for a while.
        if (Arrays.stream(lines).allMatch(line -> contains(check, line))) {
          return;
        }
        assertThat(System.nanoTime()).as(check.log()).isLessThan(end);
      }
    }
  }

  private void assertCannotLook(Site site) throws Exception {
    Map<String, String> nowhere =
        Map.of("keywell.database.url", "jdbc:postgresql://127.0.0.1:1/keywell");
    try (KeywellProcess check =
        KeywellProcess.start(site.settings(nowhere), home.resolve("check.log"), "check")) {
      assertThat(check.awaitExit()).as(check.log()).isEqualTo(1);
      assertThat(check.log()).contains("keywell: ").contains("cannot be reached");
    }
  }

  private static boolean contains(KeywellProcess process, String text) {
    try {
      return process.log().contains(text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void terminate(KeywellProcess keywell) throws Exception {
    keywell.terminate();
    assertThat(keywell.awaitExit()).isIn(0, 143);
  }
}
