package org.keywell.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Base64;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.keywell.acceptance.running.Clients;
import org.keywell.acceptance.running.HttpApi;
import org.keywell.acceptance.running.KeywellProcess;
import org.keywell.acceptance.running.Settings;
import org.keywell.acceptance.running.SignBody;
import org.keywell.acceptance.running.SignedAnswer;
import org.keywell.acceptance.running.Site;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.testkit.Await;
import org.keywell.testkit.Sql;

/**
 * Rules 1 and 5 against {@code kill -9} under load: a crash may lose keys, never bring one back.
 */
final class CrashIT {

  private static final KeySpec SPEC = KeySpec.EC_P256;
  private static final int STOCK = 3_000;
  private static final int CRASHES = 3;
  private static final int CLIENTS = 4;
  private static final Pattern RECOVERED =
      Pattern.compile("(\\d+) requests in flight closed as failed, (\\d+) keys\\s+forfeited");

  private final Random random = new Random(20_260_101);
  private final Map<UUID, HttpApi.Answer> answered = new HashMap<>();
  private final Map<UUID, SignBody> unanswered = new HashMap<>();
  private long open;
  private long claimed;
  private long forfeited;

  @TempDir Path home;

  @Test
  void noKeySignsTwiceAndNoRequestIsLeftOpen() throws Exception {
    try (Site site = Site.create(home)) {
      Sql sql = site.sql();
      site.stock(SPEC, STOCK);
      for (int crash = 0; crash < CRASHES; crash++) {
        try (KeywellProcess keywell = start(site, "run-" + crash)) {
          HttpApi http = keywell.awaitReady();
          assertRecovered(keywell, sql);
          crashUnderLoad(keywell, http);
          awaitDisconnected(sql);
        }
      }
      try (KeywellProcess keywell = start(site, "last-run")) {
        HttpApi http = keywell.awaitReady();
        assertRecovered(keywell, sql);
        assertAnswersAreOnRecord(sql);
        assertEachRetryIsDefinite(http);
        keywell.terminate();
        assertThat(keywell.awaitExit()).isIn(0, 143);
      }
      assertNoKeySignedTwice(sql);
      long stored = sql.count("SELECT count(*) FROM pool_key");
      long used = sql.count("SELECT count(*) FROM sign_request WHERE key_id IS NOT NULL");
      assertThat(sql.count("SELECT count(*) FROM claimed_key")).isZero();
      long discarded =
          sql.count("SELECT coalesce(sum(keys), 0) FROM key_ledger WHERE move = 'discarded'");
      assertThat(discarded).as("within the mark at a crash").isLessThan(CRASHES * STOCK / 50);
      assertThat(stored + used + forfeited + discarded)
          .as("stored %s, used %s, forfeited %s", stored, used, forfeited)
          .isEqualTo(STOCK);
      assertThat(used).as("the service had work when it was killed").isGreaterThan(CRASHES * 50L);
    }
  }

  private static KeywellProcess start(Site site, String run) throws Exception {
    return KeywellProcess.start(
        site.settings(
            Settings.pool(SPEC, 40), Map.of("keywell.pool.specs.EC-P256.batch-size", "10")),
        site.home().resolve(run + ".log"),
        "serve");
  }

  private void crashUnderLoad(KeywellProcess keywell, HttpApi http) throws Exception {
    try (Clients clients = Clients.start(http, SPEC, CLIENTS)) {
      clients.awaitAnswers(50 + random.nextInt(100));
      Thread.sleep(random.nextInt(50));
      keywell.kill();
      clients.join();
      answered.putAll(clients.answered());
      unanswered.putAll(clients.unanswered());
    }
  }

  /** A transaction that was being committed when the process died is over after this. */
  private void awaitDisconnected(Sql sql) throws Exception {
    Await.until(
        "the database has dropped the dead process's connections",
        () ->
            sql.count(
                    """
                    SELECT count(*) FROM pg_stat_activity
                    WHERE datname = current_database() AND application_name LIKE 'keywell %'
                    """)
                == 0);
    open = sql.count("SELECT count(*) FROM sign_request WHERE status = 'received'");
    claimed = sql.count("SELECT count(*) FROM claimed_key");
  }

  /** What the start says that it closed is what the crash had left. */
  private void assertRecovered(KeywellProcess keywell, Sql sql) throws Exception {
    Matcher recovered = RECOVERED.matcher(keywell.log());
    boolean found = recovered.find();
    assertThat(found).as(keywell.log()).isEqualTo(open + claimed > 0);
    if (found) {
      assertThat(Long.parseLong(recovered.group(1))).as("requests in flight").isEqualTo(open);
      assertThat(Long.parseLong(recovered.group(2))).as("keys forfeited").isEqualTo(claimed);
    }
    forfeited += claimed;
    assertThat(sql.count("SELECT count(*) FROM sign_request WHERE status = 'received'")).isZero();
  }

  private void assertAnswersAreOnRecord(Sql sql) throws Exception {
    Map<String, String> records = new HashMap<>();
    for (String line :
        sql.texts(
            """
            SELECT concat_ws(' ', request_id, status, encode(signature, 'hex')) FROM sign_request
            """)) {
      records.put(line.substring(0, 36), line.substring(37));
    }
    for (Map.Entry<UUID, HttpApi.Answer> entry : answered.entrySet()) {
      assertThat(entry.getValue().status()).as(entry.getValue().body().toString()).isEqualTo(200);
      assertThat(records.get(entry.getKey().toString()))
          .isEqualTo("signed " + hex(SignedAnswer.of(entry.getValue()).signature()));
    }
    assertThat(records.values())
        .allMatch(record -> record.startsWith("signed ") || record.equals("failed"));
  }

  private void assertEachRetryIsDefinite(HttpApi http) throws Exception {
    for (Map.Entry<UUID, SignBody> entry : unanswered.entrySet()) {
      HttpApi.Answer before = http.result(entry.getKey());
      HttpApi.Answer retried = http.sign(entry.getValue());
      if (before.problem().equals("request-unknown")) {
        assertThat(retried.status()).as("a request that never arrived").isEqualTo(200);
      } else {
        assertThat(retried.status()).isEqualTo(before.status());
        assertThat(retried.body().path("signature")).isEqualTo(before.body().path("signature"));
        assertThat(retried.problem()).isIn("", "interrupted").isEqualTo(before.problem());
      }
      if (retried.status() == 200) {
        answered.put(entry.getKey(), retried);
      }
    }
    for (Map.Entry<UUID, HttpApi.Answer> entry : answered.entrySet()) {
      if (random.nextInt(10) == 0) {
        SignBody body = SignBody.of(entry.getKey().toString()).requestId(entry.getKey());
        HttpApi.Answer again = http.sign(body.keySpec(SPEC));
        assertThat(again.body()).isEqualTo(entry.getValue().body());
      }
    }
  }

  private void assertNoKeySignedTwice(Sql sql) throws Exception {
    Set<String> keys = new HashSet<>();
    for (HttpApi.Answer answer : answered.values()) {
      SignedAnswer signed = SignedAnswer.of(answer);
      assertThat(keys.add(Base64.getEncoder().encodeToString(signed.publicKey().getEncoded())))
          .as("a key of its own for each answer")
          .isTrue();
    }
    assertThat(
            sql.count(
                """
                SELECT count(*) FROM sign_request a JOIN sign_request b
                ON a.request_id < b.request_id
                AND (a.key_id = b.key_id OR a.public_key_sha256 = b.public_key_sha256)
                """))
        .isZero();
    assertThat(
            sql.count(
                """
                SELECT count(*) FROM sign_request s JOIN pool_key p
                ON s.key_id = p.id OR s.public_key_sha256 = sha256(p.public_key)
                """))
        .as("used keys that are stored again")
        .isZero();
  }

  private static String hex(byte[] bytes) {
    return HexFormat.of().formatHex(bytes);
  }
}
