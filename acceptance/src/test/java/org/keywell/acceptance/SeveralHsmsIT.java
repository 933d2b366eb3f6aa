package org.keywell.acceptance;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.keywell.acceptance.running.Browser;
import org.keywell.acceptance.running.HttpApi;
import org.keywell.acceptance.running.RunningKeywell;
import org.keywell.acceptance.running.Settings;
import org.keywell.acceptance.running.SignBody;
import org.keywell.acceptance.running.SignedAnswer;
import org.keywell.keypool.Device;
import org.keywell.keypool.KeyPools;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.keypool.hsm.pkcs11.CkFunction;
import org.keywell.keypool.hsm.pkcs11.FailingCalls;
import org.keywell.keypool.hsm.pkcs11.Pkcs11Hsm;
import org.keywell.keypool.hsm.pkcs11.SoftHsmToken;
import org.keywell.signing.hsm.Devices;
import org.keywell.testkit.Await;
import org.keywell.testkit.PostgresForTests;
import org.keywell.testkit.PostgresForTests.Database;
import org.keywell.testkit.Scrape;
import org.keywell.testkit.Sql;
import tools.jackson.databind.JsonNode;

/** Two tokens in one instance, from the bootstrap to the balance of all keys. */
@Tag("softhsm")
@Tag("postgresql")
@Timeout(180)
final class SeveralHsmsIT {

  private static final KeySpec SPEC = KeySpec.EC_P256;
  private static final int LOADED = 3;
  private static final int SIGNED = 8;
  private static final long CKR_DEVICE_ERROR = 0x30;

  @TempDir Path home;

  private final SoftHsmToken east = SoftHsmToken.create();
  private final SoftHsmToken west = SoftHsmToken.create();
  private final Database database = PostgresForTests.newDatabase();

  private Map<String, String> settings() {
    Map<String, String> more = new HashMap<>(Settings.pool(SPEC, LOADED));
    more.put("keywell.pool.specs." + SPEC.label() + ".max-stored", "20");
    more.putAll(Settings.besides(west));
    return Settings.of(east, database, home, more);
  }

  @Test
  void bothSignFromOnePool() throws Exception {
    try (RunningKeywell keywell = RunningKeywell.start(settings())) {
      KeyPools pools = keywell.part(KeyPools.class);
      assertThat(pools.devices()).extracting(Device::name).containsExactly("east", "west");
      assertThat(pools.devices().stream().map(Device::wrappingKeyId).distinct()).hasSize(1);
      Await.until(
          "both have keys",
          () -> pools.devices().stream().allMatch(device -> device.depth(SPEC).free() == LOADED));

      for (int i = 0; i < SIGNED; i++) {
        assertSigns(keywell);
      }

      Scrape scrape = keywell.scrape();
      for (String device : new String[] {"east", "west"}) {
        assertThat(
                scrape.value(
                    "keywell_hsm_seconds_count",
                    "device",
                    device,
                    "function",
                    "C_Sign",
                    "rv",
                    "CKR_OK"))
            .as("%s signs, its proof and its share of the requests", device)
            .isGreaterThan(SIGNED / 2.0);
      }
      assertAccountedFor(keywell);
    }
  }

  /** The device's answers are made up, and its proof follows soon. */
  @Test
  @Tag("browser")
  void oneThatFailsIsToldAndStopsNothing(@TempDir Path profile) throws Exception {
    try (RunningKeywell keywell = RunningKeywell.start(settings());
        Browser browser = Browser.start(profile)) {
      Pkcs11Hsm failing = keywell.part(Devices.class).all().getLast().pkcs11();
      browser.open(keywell.http().base() + "/console");
      Await.until("the page is live", () -> browser.text("#hsm .value").startsWith("2 of 2 up"));

      Await.until(
          "readiness names it, and stays",
          () -> {
            FailingCalls.report(failing, CkFunction.C_SIGN, CKR_DEVICE_ERROR);
            HttpApi.Answer readiness = keywell.management().get("/actuator/health/readiness");
            JsonNode devices =
                readiness.body().path("components").path("hsm").path("details").path("devices");
            return readiness.status() == 200
                && devices.path("east").path("state").asString().equals("up")
                && devices.path("west").path("state").asString().equals("down")
                && devices.path("west").path("reason").asString().contains("CKR_DEVICE_ERROR");
          });
      Await.until(
          "so do the metrics",
          () -> {
            FailingCalls.report(failing, CkFunction.C_SIGN, CKR_DEVICE_ERROR);
            Scrape scrape = keywell.scrape();
            return scrape.value("keywell_hsm_up", "device", "east") == 1
                && scrape.value("keywell_hsm_up", "device", "west") == 0
                && scrape.value("keywell_hsm_state", "device", "west", "state", "down") == 1
                && scrape.value("keywell_ready", "part", "hsm") == 1;
          });
      Await.until(
          "and the page",
          () -> {
            FailingCalls.report(failing, CkFunction.C_SIGN, CKR_DEVICE_ERROR);
            String shown = browser.text("#hsm .value");
            return shown.startsWith("1 of 2 up") && shown.contains("west: down");
          });
      assertSigns(keywell);
      Await.until("it is back", () -> browser.text("#hsm .value").startsWith("2 of 2 up"));
    }
  }

  private static void assertSigns(RunningKeywell keywell) throws Exception {
    HttpApi.Answer answer = keywell.http().sign(SignBody.of("document").keySpec(SPEC));
    assertThat(answer.status()).as(answer.body().toString()).isEqualTo(200);
    SignedAnswer.of(answer).verify("SHA256withECDSA", "document".getBytes(UTF_8));
  }

  private void assertAccountedFor(RunningKeywell keywell) throws Exception {
    try (var dataSource = database.dataSource()) {
      Sql sql = new Sql(dataSource);
      Await.until(
          "each device has been compared",
          () ->
              sql.texts("SELECT part FROM key_report WHERE expected = found ORDER BY 1")
                  .equals(
                      List.of(
                          "EC-P256",
                          "HSM east",
                          "HSM west",
                          "RSA-2048",
                          "stray token keys east",
                          "stray token keys west")));
    }
    // Its keys may just have been used, and the next ones are on their way.
    Await.until(
        "west has keys again",
        () ->
            keywell
                    .scrape()
                    .value("keywell_hsm_loaded_keys", "device", "west", "key_spec", SPEC.label())
                > 0);
    assertThat(keywell.scrape().value("keywell_hsm_unexplained_keys", "device", "west")).isZero();
  }
}
