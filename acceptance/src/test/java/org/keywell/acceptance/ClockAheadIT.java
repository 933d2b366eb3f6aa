package org.keywell.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.keywell.acceptance.running.ForeignClock;
import org.keywell.acceptance.running.HttpApi;
import org.keywell.acceptance.running.KeywellProcess;
import org.keywell.acceptance.running.Settings;
import org.keywell.acceptance.running.SignBody;
import org.keywell.acceptance.running.SignedAnswer;
import org.keywell.acceptance.running.Site;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.keypool.hsm.SignatureScheme;
import org.keywell.testkit.Await;

/** A service whose clock is a day and a half ahead of PostgreSQL's. */
@Tag("lint")
@Timeout(200)
final class ClockAheadIT {

  private static final KeySpec SPEC = KeySpec.EC_P256;
  private static final Duration AHEAD = Duration.ofHours(36);

  @TempDir private Path home;
  @TempDir private Path others;
  private ForeignClock clock;
  private Site site;

  @BeforeEach
  void create() throws Exception {
    clock = new ForeignClock(Files.createDirectory(others.resolve("clock")));
    site = Site.create(home);
    site.stock(SPEC, 20);
  }

  @AfterEach
  void close() {
    site.close();
  }

  private KeywellProcess start() throws Exception {
    Map<String, String> all = new HashMap<>(Settings.pool(SPEC, 5));
    all.put("keywell.start-patience", "2s");
    Map<String, String> settings = new HashMap<>(site.settings(all));
    settings.putAll(clock.environment());
    return KeywellProcess.start(settings, others.resolve("log"), "serve");
  }

  private static HttpApi.Answer sign(HttpApi http) throws Exception {
    return http.sign(SignBody.of("a document").keySpec(SPEC).scheme(SignatureScheme.ECDSA));
  }

  @Test
  void certifiesNothingUntilTheClocksAgree() throws Exception {
    try (KeywellProcess service = start()) {
      HttpApi http = service.awaitReady();
      HttpApi management = service.management();
      Await.until("it signs", () -> sign(http).status() == 200);

      clock.set(AHEAD);

      HttpApi.Answer refused = sign(http);
      assertThat(refused.status()).isEqualTo(503);
      assertThat(refused.problem()).isEqualTo("ca-unavailable");
      assertThat(refused.body().toString()).contains("clock");
      HttpApi.Answer readiness = management.get("/actuator/health/readiness");
      assertThat(readiness.status()).isEqualTo(503);
      assertThat(readiness.body().toString()).containsPattern("129(599|600) s ahead");
      assertThat(management.text("/actuator/prometheus"))
          .containsPattern("keywell_database_clock_offset_seconds\\S* -129(599|600)\\.");
      Await.until("it says so", () -> service.log().contains("nothing is certified until"));

      clock.set(Duration.ZERO);

      X509Certificate certificate = SignedAnswer.of(sign(http)).chain().getFirst();
      assertThat(certificate.getNotBefore().toInstant()).isBefore(Instant.now());
      assertThat(management.get("/actuator/health/readiness").status()).isEqualTo(200);
      Await.until("it says so", () -> service.log().contains("agrees with PostgreSQL's again"));
    }
  }

  /** A supervisor repeats it; nothing has been made by then. */
  @Test
  void waitsAtTheStartAndEndsWithACodeThatIsRepeated() throws Exception {
    clock.set(AHEAD);

    try (KeywellProcess service = start()) {
      assertThat(service.awaitExit()).as(service.log()).isEqualTo(4);
      assertThat(service.log()).contains(" s ahead, more than keywell.database.clock-tolerance");
    }
  }
}
