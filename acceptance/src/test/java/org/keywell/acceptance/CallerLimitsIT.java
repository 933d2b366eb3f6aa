package org.keywell.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.keywell.acceptance.chaos.FiftyASecond;
import org.keywell.acceptance.running.HttpApi;
import org.keywell.acceptance.running.RunningKeywell;
import org.keywell.acceptance.running.Settings;
import org.keywell.acceptance.running.SignBody;
import org.keywell.acceptance.running.Site;
import org.keywell.acceptance.running.TlsCallers;
import org.keywell.keypool.hsm.KeySpec;

/** What is beyond a caller's own limits is refused, by name, and costs neither key nor row. */
@Timeout(120)
final class CallerLimitsIT {

  private static final KeySpec SPEC = KeySpec.EC_P256;
  private static final int KEYS = 60;

  @TempDir Path home;
  @TempDir Path files;

  private static SignBody body(UUID id) {
    return SignBody.of("document").requestId(id).keySpec(SPEC).deadlineMillis(20_000);
  }

  private static SignBody body() {
    return body(UUID.randomUUID());
  }

  private static void assertRefused(
      HttpApi.Answer answer, int status, String problem, String detail) {
    assertThat(answer.status()).as(answer.body().toString()).isEqualTo(status);
    assertThat(answer.problem()).isEqualTo(problem);
    assertThat(answer.body().path("detail").asString()).isEqualTo(detail);
    assertThat(Long.parseLong(answer.retryAfter())).isPositive();
  }

  private static long signed(Site site) throws Exception {
    return site.sql().count("SELECT count(*) FROM sign_request");
  }

  @Test
  void rateAndQuotaAlsoAfterARestart() throws Exception {
    TlsCallers callers =
        TlsCallers.create(
            files,
            Map.of(
                "fast", "rate-per-second: 1, burst: 2",
                "daily", "daily-quota: 2",
                "other", ""));
    try (Site site = Site.create(home)) {
      site.stock(SPEC, KEYS);
      Map<String, String> settings = site.settings(Settings.pool(SPEC, KEYS), callers.settings());
      UUID id = UUID.randomUUID();
      try (RunningKeywell keywell = RunningKeywell.start(settings)) {
        keywell.awaitLoaded(SPEC, KEYS);
        HttpApi fast = callers.http(keywell.port(), "fast");
        int refused = 0;
        for (int i = 0; i < 20; i++) {
          HttpApi.Answer answer = fast.sign(body(id));
          if (answer.status() != 200) {
            assertRefused(
                answer, 429, "rate-limit", "the caller's rate-per-second is 1, its burst 2");
            refused++;
          }
        }
        assertThat(refused).as("repetitions count").isPositive();
        assertThat(signed(site)).isEqualTo(1);

        HttpApi daily = callers.http(keywell.port(), "daily");
        UUID first = UUID.randomUUID();
        assertThat(daily.sign(body(first)).status()).isEqualTo(200);
        for (int i = 0; i < 5; i++) {
          assertThat(daily.sign(body(first)).status()).as("repetitions do not").isEqualTo(200);
        }
        assertThat(daily.sign(body()).status()).isEqualTo(200);
        assertQuotaUsed(daily);
        assertThat(daily.result(first).status()).isEqualTo(200);
        assertThat(callers.http(keywell.port(), "other").sign(body()).status()).isEqualTo(200);
        assertThat(signed(site)).isEqualTo(4);
        assertThat(keywell.loaded(SPEC)).isEqualTo(KEYS - 4);
      }
      try (RunningKeywell keywell = RunningKeywell.start(settings)) {
        assertQuotaUsed(callers.http(keywell.port(), "daily"));
        assertThat(signed(site)).isEqualTo(4);
      }
    }
  }

  private static void assertQuotaUsed(HttpApi http) throws Exception {
    HttpApi.Answer answer = http.sign(body());
    assertRefused(
        answer, 429, "quota-used", "the caller's daily-quota is used up: 2 requests a day (UTC)");
    assertThat(Long.parseLong(answer.retryAfter()))
        .isLessThanOrEqualTo(Duration.ofDays(1).toSeconds());
  }

  @Test
  void theShareOfTheQueue() throws Exception {
    TlsCallers callers =
        TlsCallers.create(
            files,
            Map.of("flooder", "queue-share-percent: 20", "other", "queue-share-percent: 80"));
    try (Site site = Site.create(home)) {
      site.stock(SPEC, KEYS);
      Map<String, String> more = new HashMap<>(Settings.pool(SPEC, KEYS));
      more.put("keywell.sign.queue-limit", "10");
      more.put("keywell.hsm.profile", FiftyASecond.profile(home));
      try (RunningKeywell keywell = RunningKeywell.start(site.settings(more, callers.settings()));
          ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
        keywell.awaitLoaded(SPEC, KEYS);
        HttpClient flooder = callers.client("flooder");
        URI sign = TlsCallers.base(keywell.port()).resolve("/sign");
        HttpApi other = callers.http(keywell.port(), "other");
        List<Future<HttpResponse<String>>> flood = new ArrayList<>();
        for (int i = 0; i < 30; i++) {
          flood.add(
              threads.submit(() ->
                  flooder.send(
                      HttpRequest.newBuilder(sign)
                          .header("Content-Type", "application/json")
                          .POST(HttpRequest.BodyPublishers.ofString(body().json()))
                          .build(),
                      HttpResponse.BodyHandlers.ofString())));
        }
        for (int i = 0; i < 5; i++) {
          assertThat(other.sign(body()).status()).isEqualTo(200);
        }
        int refused = 0;
        int kept = 0;
        for (Future<HttpResponse<String>> each : flood) {
          HttpResponse<String> answer = each.get(60, TimeUnit.SECONDS);
          if (answer.statusCode() != 200) {
            assertThat(answer.statusCode()).isEqualTo(503);
            assertThat(answer.body())
                .contains("urn:keywell:problem:queue-share")
                .contains("the caller's queue-share-percent is reached: 2 of 10 places");
            assertThat(answer.headers().firstValue("Retry-After")).isPresent();
            kept += answer.headers().firstValue("Connection").isEmpty() ? 1 : 0;
            refused++;
          }
        }
        assertThat(refused).isPositive();
        assertThat(kept).as("refused before admission, without a handshake each").isPositive();
        assertThat(signed(site)).isEqualTo(30 - refused + 5);
      }
    }
  }
}
