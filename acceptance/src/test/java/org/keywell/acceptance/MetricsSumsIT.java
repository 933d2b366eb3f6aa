package org.keywell.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.keywell.acceptance.running.HttpApi;
import org.keywell.acceptance.running.RunningKeywell;
import org.keywell.acceptance.running.Settings;
import org.keywell.acceptance.running.SignBody;
import org.keywell.acceptance.running.Site;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.signing.hsm.Devices;
import org.keywell.signing.sign.SignRequestQueue;
import org.keywell.testkit.Await;
import org.keywell.testkit.Scrape;
import org.keywell.testkit.Sql;

/** The metrics add up as docs/METRICS.md says, and agree with what SQL counts. */
final class MetricsSumsIT {

  /** Keys that the device makes and unwraps to prove itself when it is opened. */
  private static final int OF_THE_FIRST_PROOF = 2;

  private static final KeySpec SPEC = KeySpec.EC_P256;
  private static final String LABEL = SPEC.label();
  private static final int STOCK = 60;
  private static final int LOADED = 20;

  /** So that requests queue, whatever the machine. */
  private static final String SLOW_GENERATION =
      """
      name: slow-generation
      source: a test
      generation: 1s
      wrapping: 1ms
      unwrapping: 1ms
      signing: 5ms
      """;

  @TempDir Path home;

  @Test
  void aPoolWithGoodAndDamagedKeysAndAnEmptyOne() throws Exception {
    try (Site site = Site.create(home)) {
      site.stock(SPEC, STOCK);
      Sql sql = site.sql();
      List<String> ids = sql.texts("SELECT id FROM pool_key ORDER BY id");
      spoil(sql, "wrapped_private_key", ids.get(3));
      swapPublicKeys(sql, ids.get(5), ids.get(6));
      try (RunningKeywell keywell =
          RunningKeywell.start(
              site.settings(pool(STOCK, LOADED, 10, 10), Settings.pool(KeySpec.EC_P384, 1)))) {
        Await.until(
            "keys are loaded", () -> keywell.scrape().value(loaded(), "tier", "loaded") > 9);
        SignBody body = SignBody.of("document").keySpec(SPEC);
        for (int i = 0; i < 25; i++) {
          keywell.http().sign(body);
        }
        for (int i = 0; i < 4; i++) {
          HttpApi.Answer answer = keywell.http().sign(body.keySpec(KeySpec.EC_P384));
          assertThat(answer.problem()).isEqualTo("pool-empty");
        }
        SignBody named = body.requestId(UUID.randomUUID());
        for (int i = 0; i < 3; i++) {
          assertThat(keywell.http().sign(named).status()).isEqualTo(200);
        }
        for (int i = 0; i < 5; i++) {
          keywell.http().sign(body.deadlineMillis(1));
        }
        assertThat(keywell.http().sign(body.without("digest")).problem())
            .isEqualTo("missing-field");

        Await.until(
            "the generator has noticed what was claimed, and filled the store again",
            () -> sql.count("SELECT count(*) FROM pool_key") == STOCK);
        Scrape scrape = atRest(keywell, sql);
        assertThat(scrape.value("keywell_sign_total", "outcome", "signed")).isGreaterThan(20);
        assertThat(scrape.value("keywell_sign_failures_total", "reason", "key-refused"))
            .as("the two whose public keys were swapped")
            .isEqualTo(2);
        assertThat(scrape.value("keywell_sign_failures_total", "reason", "pool-empty"))
            .isEqualTo(4);
        assertThat(scrape.value("keywell_pool_missed_leases_total", "key_spec", "EC-P384"))
            .isEqualTo(4);
        assertThat(scrape.value("keywell_keys_discarded_total", "key_spec", LABEL))
            .as("the damaged one")
            .isEqualTo(1);
        assertThat(scrape.value("keywell_keys_generated_total", "key_spec", LABEL))
            .as("made to fill the store again")
            .isPositive();
        assertThat(scrape.value("keywell_sign_requests_total", "admission", "repeated"))
            .isEqualTo(2);
        assertThat(scrape.value("keywell_problems_total", "type", "missing-field")).isEqualTo(1);
        assertThat(
                scrape.value(
                    "keywell_hsm_seconds_count",
                    "function",
                    "C_UnwrapKey",
                    "rv",
                    "CKR_GENERAL_ERROR"))
            .as("SoftHSM's answers to a damaged key, which it is asked for twice")
            .isEqualTo(2);
        assertRequestsAddUp(scrape, sql);
        assertKeysAddUp(scrape, sql, STOCK);
        assertDeviceAgrees(keywell, scrape);
      }
    }
  }

  @Test
  void keysGeneratedForRequestsThatQueueExpireAndAreRefused() throws Exception {
    Path profile = Files.writeString(home.resolve("slow.yaml"), SLOW_GENERATION);
    try (Site site = Site.create(home);
        RunningKeywell keywell =
            RunningKeywell.start(
                site.settings(
                    pool(0, 1, 1, 1),
                    Settings.pool(KeySpec.EC_P384, 1),
                    Map.of(
                        "keywell.hsm.profile", profile.toString(),
                        "keywell.pool.when-empty", "generate",
                        "keywell.sign.queue-limit", "3")));
        ExecutorService callers = Executors.newCachedThreadPool()) {
      SignBody slow = SignBody.of("slow").keySpec(KeySpec.EC_P384).deadlineMillis(60_000);
      SignBody late = slow.deadlineMillis(5);
      SignRequestQueue queue = keywell.part(SignRequestQueue.class);
      List<Future<HttpApi.Answer>> calls = new ArrayList<>();
      for (int i = 0; i < 2; i++) {
        calls.add(callers.submit(() -> keywell.http().sign(slow)));
      }
      Await.until("one waits", () -> queue.length() >= 1);
      assertThat(keywell.http().sign(late).problem()).isEqualTo("deadline");
      Await.until(
          "the queue is full",
          () -> {
            // On a busy machine requests may come as slowly as they are served.
            for (int i = queue.length(); i < 2 * queue.limit(); i++) {
              calls.add(callers.submit(() -> keywell.http().sign(slow)));
            }
            return keywell.http().sign(late).problem().equals("queue-full");
          });
      Await.until(
          "there is a place again, and too many are before it",
          () -> keywell.http().sign(late).problem().equals("wait-too-long"));
      for (Future<HttpApi.Answer> call : calls) {
        call.get();
      }

      Scrape scrape = atRest(keywell, site.sql());
      assertThat(scrape.value("keywell_sign_total", "outcome", "expired")).isPositive();
      assertThat(scrape.value("keywell_sign_total", "pre_generated", "false")).isPositive();
      assertThat(scrape.value("keywell_sign_refused_total", "limit", "queue_limit")).isPositive();
      assertThat(scrape.value("keywell_sign_refused_total", "limit", "deadline")).isPositive();
      assertThat(scrape.value("keywell_keys_on_the_fly_total"))
          .isEqualTo(scrape.value("keywell_sign_total", "pre_generated", "false"));
      assertRequestsAddUp(scrape, site.sql());
      assertDeviceAgrees(keywell, scrape);
    }
  }

  private static String loaded() {
    return "keywell_pool_keys";
  }

  private static Map<String, String> pool(int maxStored, int capacity, int lowWater, int batch) {
    String prefix = "keywell.pool.specs." + LABEL + ".";
    return Map.of(
        prefix + "max-stored", Integer.toString(maxStored),
        prefix + "loaded-capacity", Integer.toString(capacity),
        prefix + "low-water", Integer.toString(lowWater),
        prefix + "batch-size", Integer.toString(batch));
  }

  /** Waits until nothing moves and the store was counted since. */
  private static Scrape atRest(RunningKeywell keywell, Sql sql) throws Exception {
    Await.until(
        "nothing is in progress, the generator has nothing to do, and the depth is up to date",
        () -> {
          Scrape scrape = keywell.scrape();
          return scrape.value("keywell_sign_in_progress") == 0
              && scrape.value("keywell_sign_queue_length") == 0
              && scrape.value("keywell_pool_loading_keys") == 0
              && scrape.value("keywell_generator_threads", "state", "full") == 1
              && scrape.value("keywell_pool_keys", "tier", "stored")
                  == sql.count("SELECT count(*) FROM pool_key");
        });
    return keywell.scrape();
  }

  private static void assertRequestsAddUp(Scrape scrape, Sql sql) throws Exception {
    assertThat(scrape.value("keywell_sign_requests_total", "admission", "accepted"))
        .as("accepted")
        .isEqualTo((double) sql.count("SELECT count(*) FROM sign_request"))
        .isEqualTo(
            scrape.value("keywell_sign_total")
                + scrape.value("keywell_sign_in_progress")
                + scrape.value("keywell_record_unrecorded"));
    assertThat(scrape.value("keywell_sign_requests_total", "admission", "refused"))
        .as("refused")
        .isEqualTo(scrape.value("keywell_sign_refused_total"));
    assertThat(series(scrape, "keywell_sign_total", "outcome", "pre_generated"))
        .as("ends")
        .isEqualTo(
            counts(
                sql,
                """
                SELECT concat_ws(' ', status, coalesce(pre_generated::text, 'none'), count(*))
                FROM sign_request GROUP BY status, pre_generated
                """));
    assertThat(series(scrape, "keywell_sign_failures_total", "reason"))
        .as("failures")
        .isEqualTo(
            counts(
                sql,
                """
                SELECT concat_ws(' ', failure, count(*)) FROM sign_request
                WHERE status = 'failed' GROUP BY failure
                """));
    for (String outcome : List.of("signed", "failed", "expired")) {
      double ends = scrape.value("keywell_sign_total", "outcome", outcome);
      assertThat(scrape.value("keywell_sign_request_seconds_count", "outcome", outcome))
          .as(outcome)
          .isEqualTo(ends);
      assertThat(scrape.value("keywell_sign_process_seconds_count", "outcome", outcome))
          .as(outcome)
          .isEqualTo(ends);
    }
    assertThat(scrape.value("keywell_sign_request_seconds_sum"))
        .as("with queueing")
        .isEqualTo(
            stage(scrape, "accept")
                + stage(scrape, "queue")
                + scrape.value("keywell_sign_process_seconds_sum")
                + stage(scrape, "record"),
            within(1e-6));
    // In whole microseconds, as the record has it.
    assertThat(scrape.value("keywell_sign_process_seconds_sum"))
        .as("without queueing")
        .isEqualTo(
            (double) sql.count("SELECT sum(process_time_micros) FROM sign_request") / 1e6,
            within(0.001));
  }

  private static void assertKeysAddUp(Scrape scrape, Sql sql, int storedAtStart) throws Exception {
    double claimed = keys(scrape, "claimed");
    double leased = keys(scrape, "leased") - keys(scrape, "returned");
    double stored = scrape.value("keywell_pool_keys", "tier", "stored", "key_spec", LABEL);
    double loaded = scrape.value("keywell_pool_keys", "tier", "loaded", "key_spec", LABEL);
    assertThat(stored)
        .as("stored")
        .isEqualTo(storedAtStart + keys(scrape, "generated") + keys(scrape, "put_back") - claimed)
        .isEqualTo((double) sql.count("SELECT count(*) FROM pool_key"));
    assertThat(claimed)
        .as("claimed")
        .isEqualTo(
            loaded
                + leased
                + keys(scrape, "put_back")
                + keys(scrape, "discarded")
                + keys(scrape, "barred")
                + keys(scrape, "lost"));
    assertThat(loaded)
        .as("on the ledger")
        .isEqualTo((double) sql.count("SELECT count(*) FROM claimed_key"));
    assertThat(scrape.value("keywell_sign_total", "pre_generated", "true"))
        .as("used")
        .isEqualTo((double) sql.count("SELECT count(*) FROM sign_request WHERE key_id IS NOT NULL"))
        .isEqualTo(leased - scrape.value("keywell_pool_leased_keys"));
    assertThat(scrape.value("keywell_generate_seconds_count", "stage", "store", "key_spec", LABEL))
        .isEqualTo(keys(scrape, "generated"));
    assertThat(scrape.value("keywell_load_seconds_count", "stage", "unwrap", "key_spec", LABEL))
        .isEqualTo(keys(scrape, "loaded"));
  }

  /** Private keys that came into being are gone, orphans, or loaded. */
  private static void assertDeviceAgrees(RunningKeywell keywell, Scrape scrape) {
    keywell.assertNoKeyButLoaded();
    assertThat(
            succeeded(scrape, "C_UnwrapKey")
                + succeeded(scrape, "C_GenerateKeyPair")
                - OF_THE_FIRST_PROOF)
        .as("keys that came into being")
        .isEqualTo(
            scrape.value("keywell_keys_destroyed_total")
                + scrape.value("keywell_pool_orphans")
                + scrape.value("keywell_pool_keys", "tier", "loaded"));
    assertThat(scrape.value("keywell_hsm_calls_in_progress")).isZero();
    assertThat(scrape.value("keywell_hsm_up")).isEqualTo(1);
    assertThat(keywell.part(Devices.class).first().hsm().wrapMechanism()).isEqualTo("AES-KWP");
  }

  private static double succeeded(Scrape scrape, String function) {
    return scrape.value("keywell_hsm_seconds_count", "function", function, "rv", "CKR_OK");
  }

  private static double keys(Scrape scrape, String counter) {
    return scrape.value("keywell_keys_" + counter + "_total", "key_spec", LABEL);
  }

  private static double stage(Scrape scrape, String stage) {
    return scrape.value("keywell_sign_seconds_sum", "stage", stage);
  }

  /** Values other than zero, by the values of these labels. */
  private static Map<String, Double> series(Scrape scrape, String name, String... labels) {
    Map<String, Double> series = new TreeMap<>();
    for (Scrape.Sample sample : scrape.samples()) {
      if (sample.name().equals(name) && sample.value() != 0) {
        List<String> values = new ArrayList<>();
        for (String label : labels) {
          values.add(String.valueOf(sample.labels().get(label)));
        }
        series.put(String.join(" ", values), sample.value());
      }
    }
    return series;
  }

  /** Of rows that end in a number. */
  private static Map<String, Double> counts(Sql sql, String query) throws Exception {
    Map<String, Double> counts = new TreeMap<>();
    for (String row : sql.texts(query)) {
      int end = row.lastIndexOf(' ');
      counts.put(row.substring(0, end), Double.valueOf(row.substring(end + 1)));
    }
    return counts;
  }

  private static void spoil(Sql sql, String column, String id) throws Exception {
    assertThat(
            sql.update(
                """
                UPDATE pool_key SET %s = set_byte(%s, 40, get_byte(%s, 40) # 1) WHERE id = %s
                """
                    .formatted(column, column, column, id)))
        .isEqualTo(1);
  }

  private static void swapPublicKeys(Sql sql, String one, String other) throws Exception {
    List<String> keys =
        List.of(
            sql.text("SELECT encode(public_key, 'hex') FROM pool_key WHERE id = " + one),
            sql.text("SELECT encode(public_key, 'hex') FROM pool_key WHERE id = " + other));
    // By way of a third value: the index allows no duplicate.
    spoil(sql, "public_key", one);
    setPublicKey(sql, other, keys.getFirst());
    setPublicKey(sql, one, keys.getLast());
  }

  private static void setPublicKey(Sql sql, String id, String hex) throws Exception {
    assertThat(
            sql.update(
                "UPDATE pool_key SET public_key = decode('%s', 'hex') WHERE id = %s"
                    .formatted(hex, id)))
        .isEqualTo(1);
  }
}
