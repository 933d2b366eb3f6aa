package org.keywell.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.keywell.acceptance.running.HttpApi;
import org.keywell.acceptance.running.KeywellProcess;
import org.keywell.acceptance.running.SignBody;
import org.keywell.acceptance.running.SignedAnswer;
import org.keywell.acceptance.running.Site;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.testkit.Await;
import tools.jackson.databind.JsonNode;

/** A service on a device profile takes the profile's times, and says so wherever it is asked. */
final class SimulatedTimesIT {

  private static final Duration SIGNING = Duration.ofMillis(150);
  private static final int KEYS = 3;

  private static final String PROFILE =
      """
      name: slow-signer
      source: a test
      generation: 1ms..2ms
      wrapping: 1ms
      unwrapping: 30ms
      signing: 150ms
      """;

  @TempDir Path home;

  @Test
  void requestsTakeTheTimesOfTheProfile() throws Exception {
    Path profile = Files.writeString(home.resolve("slow-signer.yaml"), PROFILE);
    try (Site site = Site.create(home)) {
      site.stock(KeySpec.RSA_2048, KEYS);
      Map<String, String> settings =
          site.settings(Map.of("keywell.hsm.profile", profile.toString()));
      try (KeywellProcess keywell =
          KeywellProcess.start(settings, home.resolve("serve.log"), "serve")) {
        HttpApi http = keywell.awaitReady();

        assertThat(http.get("/pool").body().path("simulatedProfile").asString())
            .isEqualTo("slow-signer");
        assertThat(keywell.log())
            .contains("HSM times are SIMULATED: slow-signer")
            .containsPattern(" WARN .* keywell.hsm.profile is slow-signer");

        Await.until("all keys are loaded", () -> loaded(http) == KEYS);
        for (int i = 0; i < KEYS; i++) {
          assertSignedInItsTime(http.sign(SignBody.of("document")));
        }
      }
    }
  }

  private static int loaded(HttpApi http) throws Exception {
    return http.get("/pool").body().path("pools").path(0).path("loaded").asInt();
  }

  private static void assertSignedInItsTime(HttpApi.Answer answer) throws Exception {
    assertThat(answer.status()).as(answer.body().toString()).isEqualTo(200);
    SignedAnswer.of(answer).verify("SHA256withRSA", "document".getBytes(StandardCharsets.UTF_8));
    JsonNode times = answer.body().path("timestamps");
    Instant gotKeyPair = Instant.parse(times.path("requestGotKeyPair").asString());
    assertThat(Duration.between(gotKeyPair, Instant.parse(times.path("signed").asString())))
        .isGreaterThanOrEqualTo(SIGNING.dividedBy(2));
    assertThat(Duration.between(gotKeyPair, Instant.parse(times.path("keyDestroyed").asString())))
        .isGreaterThanOrEqualTo(SIGNING);
  }
}
