package org.keywell.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.keywell.acceptance.running.HttpApi;
import org.keywell.acceptance.running.RunningKeywell;
import org.keywell.acceptance.running.Settings;
import org.keywell.acceptance.running.SignBody;
import org.keywell.acceptance.running.Site;
import org.keywell.client.KeywellClient;
import org.keywell.keypool.hsm.KeySpec;

/** A machine that others use, too: only who can read the token's file is let in, at both ports. */
final class LocalTokenIT {

  private static final SignBody BODY = SignBody.of("document").keySpec(KeySpec.EC_P256);

  @TempDir Path home;

  @Test
  void whoShowsTheTokenIsTheLocalCallerAndNobodyElse() throws Exception {
    Path file = home.resolve("local.token");
    try (Site site = Site.create(home)) {
      site.stock(KeySpec.EC_P256, 1);
      try (RunningKeywell keywell =
              RunningKeywell.start(
                  site.settings(
                      Settings.pool(KeySpec.EC_P256, 1),
                      Map.of("keywell.security.local-token-file", file.toString())));
          HttpClient client = HttpClient.newHttpClient()) {
        String token = Files.readString(file).strip();
        HttpApi service = keywell.http();
        for (HttpApi port : List.of(service, keywell.management())) {
          String path = port == service ? "/pool" : "/actuator/health";
          for (String wrong : new String[] {"", "Bearer " + token.substring(1), "Bearer x"}) {
            HttpResponse<String> refused = get(client, port, path, wrong);
            assertThat(refused.statusCode()).as(path + " " + wrong).isEqualTo(401);
            assertThat(refused.body()).contains("urn:keywell:problem:unauthenticated");
            assertThat(refused.headers().allValues("WWW-Authenticate"))
                .containsExactly(
                    "Bearer realm=\"keywell\"", "Basic realm=\"keywell\", charset=\"UTF-8\"");
          }
          assertThat(get(client, port, "/nowhere", "").statusCode())
              .as("who is nobody does not learn what there is")
              .isEqualTo(401);
          assertThat(get(client, port, path, "Bearer " + token).statusCode()).isEqualTo(200);
        }
        assertThat(service.sign(BODY).status()).isEqualTo(401);
        assertThat(site.sql().count("SELECT count(*) FROM sign_request")).isZero();
        assertThat(
                service
                    .send(
                        service
                            .request("/sign")
                            .header("Content-Type", "application/json")
                            .header("Authorization", "Bearer " + token)
                            .POST(HttpRequest.BodyPublishers.ofString(BODY.json())))
                    .status())
            .isEqualTo(200);
        assertThat(site.sql().text("SELECT caller FROM sign_request")).isEqualTo("loopback");
        try (KeywellClient own =
            new KeywellClient(service.base(), Duration.ofSeconds(10), null, token)) {
          assertThat(own.pool().isPooled()).isTrue();
        }
      }
    }
  }

  private static HttpResponse<String> get(
      HttpClient client, HttpApi port, String path, String authorization) throws Exception {
    HttpRequest.Builder request = port.request(path);
    if (!authorization.isEmpty()) {
      request.header("Authorization", authorization);
    }
    return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
  }
}
