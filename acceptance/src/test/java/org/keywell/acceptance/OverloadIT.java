package org.keywell.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
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
import org.keywell.signing.sign.SignRequestQueue;
import org.keywell.testkit.Await;

/** Rule 7: what the service cannot do in time it refuses, and names the limit. */
final class OverloadIT {

  private static final long PATIENT = 60_000;

  @TempDir Path home;

  /** Each request costs the generation of an RSA key, so that a queue of two is soon full. */
  @Test
  void theTraditionalSystemUnderMoreThanItCanDo() throws Exception {
    try (Site site = Site.create(home);
        RunningKeywell keywell =
            RunningKeywell.start(
                site.settings(
                    Map.of("keywell.pool.mode", "on-the-fly", "keywell.sign.queue-limit", "2")));
        ExecutorService callers = Executors.newCachedThreadPool()) {
      List<Future<HttpApi.Answer>> calls = new ArrayList<>();
      for (int i = 0; i < 16; i++) {
        SignBody body = SignBody.of("document " + i).deadlineMillis(PATIENT);
        calls.add(callers.submit(() -> keywell.http().sign(body)));
      }
      int signed = 0;
      int refused = 0;
      for (Future<HttpApi.Answer> call : calls) {
        HttpApi.Answer answer = call.get();
        if (answer.status() == 200) {
          assertThat(answer.body().path("preGeneratedKeyPair").asBoolean(true)).isFalse();
          signed++;
        } else {
          assertThat(answer.status()).isEqualTo(503);
          assertThat(answer.problem()).isEqualTo("queue-full");
          assertThat(answer.body().path("detail").asString())
              .contains("keywell.sign.queue-limit", "2");
          assertThat(Integer.parseInt(answer.retryAfter())).isPositive();
          refused++;
        }
      }
      assertThat(signed).as("signed").isPositive();
      assertThat(refused).as("refused").isPositive();
      assertThat(
              site.sql()
                  .count(
                      """
                      SELECT count(*) FROM sign_request
                      WHERE status = 'signed' AND pool_mode = 'on-the-fly' AND NOT pre_generated
                        AND key_id IS NULL AND destruction_return_value = 0
                      """))
          .as("records, of those that were signed only")
          .isEqualTo(signed)
          .isEqualTo(site.sql().count("SELECT count(*) FROM sign_request"));

      // A generation takes longer than a millisecond.
      UUID late = UUID.randomUUID();
      HttpApi.Answer answer =
          keywell.http().sign(SignBody.of("late").requestId(late).deadlineMillis(1));
      assertThat(answer.problem()).isEqualTo("deadline");
      assertThat(evidence(site, late))
          .as("a key may have been made for it, and was destroyed")
          .isIn("expired 0", "expired 2");
      keywell.assertNoKeyButLoaded();
    }
  }

  /** RSA-4096 keys are generated one after the other while EC keys lie ready. */
  @Test
  void requestsBehindSlowOnesOfTheirKindExpireOrAreNotAdmittedAndOthersPassThem() throws Exception {
    try (Site site = Site.create(home)) {
      site.stock(KeySpec.EC_P256, 3);
      try (RunningKeywell keywell =
              RunningKeywell.start(
                  site.settings(
                      Settings.pool(KeySpec.EC_P256, 3),
                      Settings.pool(KeySpec.RSA_4096, 1),
                      Map.of("keywell.pool.when-empty", "generate")));
          ExecutorService callers = Executors.newCachedThreadPool()) {
        keywell.awaitLoaded(KeySpec.EC_P256, 3);
        SignRequestQueue queue = keywell.part(SignRequestQueue.class);
        SignBody slow = SignBody.of("slow").keySpec(KeySpec.RSA_4096).deadlineMillis(PATIENT);
        SignBody quick = SignBody.of("quick").keySpec(KeySpec.EC_P256);

        // Nothing was measured yet, so the wait is predicted as nothing and the request admitted.
        List<Future<HttpApi.Answer>> calls = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
          calls.add(callers.submit(() -> keywell.http().sign(slow)));
        }
        Await.until("two requests wait", () -> queue.length() >= 2);
        assertThat(keywell.http().sign(quick).body().path("preGeneratedKeyPair").asBoolean())
            .as("passes those that wait for a key of another kind")
            .isTrue();
        UUID expired = UUID.randomUUID();
        HttpApi.Answer first = keywell.http().sign(slow.requestId(expired).deadlineMillis(5));
        assertExpired(site, expired, settled(keywell, expired, first));
        for (Future<HttpApi.Answer> call : calls) {
          assertThat(call.get().status()).isEqualTo(200);
          assertThat(call.get().body().path("preGeneratedKeyPair").asBoolean(true)).isFalse();
        }

        // By now a request is known to take long.
        calls.clear();
        for (int i = 0; i < 4; i++) {
          calls.add(callers.submit(() -> keywell.http().sign(slow)));
        }
        Await.until("three requests wait", () -> queue.length() >= 3);
        UUID refused = UUID.randomUUID();
        HttpApi.Answer answer = keywell.http().sign(slow.requestId(refused).deadlineMillis(5));
        assertThat(answer.problem()).isEqualTo("wait-too-long");
        assertThat(answer.status()).isEqualTo(503);
        assertThat(answer.body().path("detail").asString()).contains("the deadline is 5 ms");
        assertThat(Integer.parseInt(answer.retryAfter())).isPositive();
        assertThat(keywell.http().result(refused).problem()).isEqualTo("request-unknown");
        for (Future<HttpApi.Answer> call : calls) {
          assertThat(call.get().status()).isEqualTo(200);
        }

        assertThat(keywell.http().get("/pool").body().path("pools").toString())
            .contains("\"keySpec\":\"EC-P256\",\"stored\":0,\"loaded\":2");
        assertThat(keywell.http().sign(quick).body().path("preGeneratedKeyPair").asBoolean())
            .isTrue();
        keywell.assertNoKeyButLoaded();
        assertThat(
                site.sql()
                    .count(
                        """
                        SELECT count(*) FROM sign_request WHERE status = 'signed'
                          AND pool_mode = 'pooled' AND NOT pre_generated AND key_id IS NULL
                        """))
            .as("generated because the pool was empty")
            .isEqualTo(7);
      }
    }
  }

  @Test
  void anEmptyPoolRefusesIfItIsToldTo() throws Exception {
    try (Site site = Site.create(home)) {
      site.stock(KeySpec.EC_P256, 1);
      try (RunningKeywell keywell =
          RunningKeywell.start(site.settings(Settings.pool(KeySpec.EC_P256, 1)))) {
        SignBody body = SignBody.of("document").keySpec(KeySpec.EC_P256);
        assertThat(keywell.http().sign(body).status()).isEqualTo(200);
        UUID id = UUID.randomUUID();
        HttpApi.Answer answer = keywell.http().sign(body.requestId(id));
        assertThat(answer.problem()).isEqualTo("pool-empty");
        assertThat(answer.status()).isEqualTo(503);
        assertThat(
                site.sql()
                    .text(
                        """
                        SELECT concat_ws(' ', status, failure, num_nonnulls(key_id, signature))
                        FROM sign_request WHERE request_id = '%s'
                        """
                            .formatted(id)))
            .isEqualTo("failed pool-empty 0");
        keywell.assertNoKeyButLoaded();

        site.stock(KeySpec.EC_P256, 1);
        Await.until(
            "the loader finds the new key",
            () -> site.sql().count("SELECT count(*) FROM pool_key") == 0);
        assertThat(keywell.http().sign(body).status()).as("refilled").isEqualTo(200);
      }
    }
  }

  /** Two such generations may outlast the caller's patience; it then asks for the result. */
  private static HttpApi.Answer settled(RunningKeywell keywell, UUID id, HttpApi.Answer first)
      throws Exception {
    if (!"request-in-progress".equals(first.problem())) {
      return first;
    }
    Await.until("the request is settled", () -> keywell.http().result(id).status() != 202);
    return keywell.http().result(id);
  }

  private static void assertExpired(Site site, UUID id, HttpApi.Answer answer) throws Exception {
    assertThat(answer.problem()).isEqualTo("deadline");
    assertThat(answer.status()).isEqualTo(504);
    assertThat(evidence(site, id)).isEqualTo("expired 0");
  }

  private static String evidence(Site site, UUID id) throws Exception {
    return site.sql()
        .text(
            """
            SELECT concat_ws(' ', status, num_nonnulls(failure, key_id, signature,
              certificate, public_key_sha256, pre_generated, destruction_return_value))
            FROM sign_request WHERE request_id = '%s'
            """
                .formatted(id));
  }
}
