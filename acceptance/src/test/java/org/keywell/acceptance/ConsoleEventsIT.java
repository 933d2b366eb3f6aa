package org.keywell.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.http.HttpClient;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.keywell.acceptance.running.HttpApi;
import org.keywell.acceptance.running.RunningKeywell;
import org.keywell.acceptance.running.Settings;
import org.keywell.acceptance.running.Site;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.testkit.Await;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The console's addresses as a browser gets them. */
final class ConsoleEventsIT {

  private static final KeySpec SPEC = KeySpec.EC_P256;
  private static final int LIMIT = 32;

  @TempDir Path home;

  /** One event. */
  private record Event(String name, JsonNode data) {}

  private static HttpResponse<InputStream> subscribe(HttpClient client, HttpApi http)
      throws IOException, InterruptedException {
    return client.send(
        http.request("/console/events").build(), HttpResponse.BodyHandlers.ofInputStream());
  }

  private static BufferedReader reader(HttpResponse<InputStream> response) {
    return new BufferedReader(new InputStreamReader(response.body(), StandardCharsets.UTF_8));
  }

  private static Event next(BufferedReader events) throws IOException {
    String name = "";
    for (String line = events.readLine(); line != null; line = events.readLine()) {
      if (line.startsWith("event: ")) {
        name = line.substring("event: ".length());
      } else if (line.startsWith("data: ")) {
        return new Event(name, JsonMapper.shared().readTree(line.substring("data: ".length())));
      }
    }
    throw new AssertionError("the stream has ended");
  }

  @Test
  void aStreamBeginsWithItsHistoryAndEndsWithTheService() throws Exception {
    try (Site site = Site.create(home);
        HttpClient client = HttpClient.newHttpClient()) {
      RunningKeywell keywell = RunningKeywell.start(site.settings(Settings.pool(SPEC, 2)));
      try (BufferedReader early = reader(subscribe(client, keywell.http()))) {
        assertThat(next(early).name()).isEqualTo("history");
        long first = epochMillis(next(early).data().path("sample"));
        long second = epochMillis(next(early).data().path("sample"));
        assertThat(second).isGreaterThan(first);

        HttpResponse<InputStream> response = subscribe(client, keywell.http());
        assertThat(response.headers().firstValue("Content-Type").orElse(""))
            .startsWith("text/event-stream");
        try (BufferedReader late = reader(response)) {
          JsonNode history = next(late).data();
          assertThat(history.path("samples").valueStream().map(ConsoleEventsIT::epochMillis))
              .contains(first, second)
              .isSorted();
          assertThat(history.path("limits").path("pools").toString()).contains(SPEC.label());
          JsonNode now = next(late).data();
          assertThat(now.path("state").path("ready").asBoolean())
              .as("an empty pool that refuses")
              .isFalse();
          assertThat(now.path("state").path("faults").path(0).path("part").asString())
              .isEqualTo("pool");
        }
        keywell.close();
        while (early.readLine() != null) {
          // Until the end, which the service's stop brings.
        }
      } finally {
        keywell.close();
      }
    }
  }

  private static long epochMillis(JsonNode sample) {
    return sample.path("epochMillis").asLong();
  }

  @Test
  void oneTooManyIsRefusedByNameUntilAPlaceIsFree() throws Exception {
    try (Site site = Site.create(home);
        RunningKeywell keywell = RunningKeywell.start(site.settings(Settings.pool(SPEC, 2)));
        HttpClient client = HttpClient.newHttpClient()) {
      List<BufferedReader> open = new ArrayList<>();
      for (int i = 0; i < LIMIT; i++) {
        BufferedReader events = reader(subscribe(client, keywell.http()));
        assertThat(next(events).name()).isEqualTo("history");
        open.add(events);
      }

      HttpApi.Answer refused = keywell.http().get("/console/events");
      assertThat(refused.status()).isEqualTo(503);
      assertThat(refused.problem()).isEqualTo("console-full");
      assertThat(refused.body().path("detail").asString()).contains("32");
      assertThat(refused.retryAfter()).isEqualTo("10");

      open.removeFirst().close();
      Await.until(
          "the place is free",
          () -> {
            HttpResponse<InputStream> response = subscribe(client, keywell.http());
            response.body().close();
            return response.statusCode() == 200;
          });
      for (BufferedReader events : open) {
        events.close();
      }
    }
  }

  @Test
  void thePageIsClosedToAllThatIsNotItsOwn() throws Exception {
    try (Site site = Site.create(home);
        RunningKeywell keywell = RunningKeywell.start(site.settings(Settings.pool(SPEC, 2)));
        HttpClient client = HttpClient.newHttpClient()) {
      for (String file : List.of("", "/console.js", "/console.css", "/chart.js", "/icon.svg")) {
        HttpResponse<String> answer =
            client.send(
                keywell.http().request("/console" + file).build(),
                HttpResponse.BodyHandlers.ofString());
        assertThat(answer.statusCode()).as(file).isEqualTo(200);
        assertThat(answer.headers().map())
            .as(file)
            .containsEntry("x-content-type-options", List.of("nosniff"))
            .containsEntry("referrer-policy", List.of("no-referrer"))
            .containsEntry("cache-control", List.of("no-cache"))
            .containsEntry(
                "content-security-policy",
                List.of(
                    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self';"
                        + " img-src 'self'; base-uri 'none'; form-action 'none';"
                        + " frame-ancestors 'none'"));
        String etag = answer.headers().firstValue("ETag").orElseThrow();
        assertThat(
                client
                    .send(
                        keywell
                            .http()
                            .request("/console" + file)
                            .header("If-None-Match", etag)
                            .build(),
                        HttpResponse.BodyHandlers.discarding())
                    .statusCode())
            .as(file)
            .isEqualTo(304);
      }
      assertThat(keywell.http().text("/console"))
          .as("neither scripts nor styles within")
          .doesNotContain("style=", "<style", "onclick", "http:", "https:")
          .doesNotContainPattern("<script>");
      for (String unknown : List.of("/console/", "/console/x.js", "/console/a/b")) {
        HttpApi.Answer answer = keywell.http().get(unknown);
        assertThat(answer.status()).as(unknown).isBetween(400, 404);
      }
      assertThat(keywell.http().get("/console/x.js").problem()).isEqualTo("not-found");
      assertThat(keywell.http().get("/console/a/b").problem()).isEqualTo("not-found");
      assertThat(keywell.management().get("/console/console.js").status()).isEqualTo(404);
      assertThat(keywell.http().get("/v3/api-docs").body().toString())
          .as("no part of the API")
          .doesNotContain("/console");
    }
  }

  @Test
  void switchedOffItIsNotThere() throws Exception {
    try (Site site = Site.create(home);
        RunningKeywell keywell =
            RunningKeywell.start(
                site.settings(
                    Settings.pool(SPEC, 2), Map.of("keywell.console.enabled", "false")))) {
      for (String path : List.of("/console", "/console/console.js", "/console/events")) {
        assertThat(keywell.http().get(path).problem()).as(path).isEqualTo("not-found");
      }
      assertThat(Thread.getAllStackTraces().keySet())
          .extracting(Thread::getName)
          .doesNotContain("keywell-console");
    }
  }
}
