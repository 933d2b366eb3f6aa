package org.keywell.acceptance;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.keywell.acceptance.running.HttpApi;
import org.keywell.acceptance.running.RunningKeywell;
import org.keywell.acceptance.running.Settings;
import org.keywell.acceptance.running.SignBody;
import org.keywell.acceptance.running.SignedAnswer;
import org.keywell.keypool.Device;
import org.keywell.keypool.KeyPools;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.keypool.hsm.pkcs11.SoftHsmToken;
import org.keywell.signing.log.OwnWitness;
import org.keywell.testkit.Await;
import org.keywell.testkit.Fault;
import org.keywell.testkit.FaultyModule;
import org.keywell.testkit.PostgresForTests;
import org.keywell.testkit.PostgresForTests.Database;
import tools.jackson.databind.JsonNode;

/** Two HSMs, of which one is away while the instance starts. */
@Tag("softhsm")
@Tag("postgresql")
@Timeout(240)
@Tag("fault")
final class LateDeviceIT {

  private static final KeySpec SPEC = KeySpec.EC_P256;
  private static final int LOADED = 3;
  private static final Duration BETWEEN_LOOKS = Duration.ofSeconds(6);
  private static final long OF_THE_VENDOR = 0x80000001L;
  private static final long CKR_DEVICE_REMOVED = 0x32;

  private final Database database = PostgresForTests.newDatabase();
  private final SoftHsmToken east = SoftHsmToken.create();
  private final Path home;
  private final FaultyModule module;
  private final SoftHsmToken west;

  LateDeviceIT(@TempDir Path home) {
    this.home = home;
    this.module = FaultyModule.create(home.resolve("west"));
    this.west = SoftHsmToken.create(module.path());
  }

  @AfterEach
  void endFaults() {
    module.close();
  }

  private Map<String, String> settings(String bootstrap) {
    Map<String, String> more = new HashMap<>(Settings.pool(SPEC, LOADED));
    more.put("keywell.pool.specs." + SPEC.label() + ".max-stored", "20");
    more.put("keywell.hsm.bootstrap", bootstrap);
    more.putAll(Settings.besides(west));
    more.put("keywell.log.witness.name", "late.example/witness");
    more.put(
        "keywell.log.witness.logs[0]",
        "sum.golang.org+033de0ae+Ac4zctda0e5eza+HJyk9SxEdh+s3Ux18htTTAD8OuAn8");
    return Settings.of(east, database, home, more);
  }

  @Test
  void theStartGoesOnWithoutItAndItIsTakenInOnceItHasCome() throws Exception {
    RunningKeywell.start(settings("if-missing")).close();
    module.gone(CKR_DEVICE_REMOVED);

    try (RunningKeywell keywell = RunningKeywell.start(settings("never"))) {
      KeyPools pools = keywell.part(KeyPools.class);
      assertThat(pools.devices()).hasSize(1);
      HttpApi.Answer readiness = keywell.management().get("/actuator/health/readiness");
      assertThat(readiness.status()).isEqualTo(200);
      assertThat(hsm(readiness, "west").path("state").asString()).isEqualTo("down");
      assertThat(keywell.scrape().value("keywell_hsm_up", "device", "west")).isZero();
      Await.until("keys are loaded", () -> pools.depth(SPEC).loaded() == LOADED);
      assertSigns(keywell);
      assertThat(keywell.part(OwnWitness.class).keys()).as("of the witness").hasSize(1);

      // It does not come all at once.
      module.inject("C_OpenSession", Fault.returning(OF_THE_VENDOR).times(2));
      module.back();

      Await.until(
          "both have keys",
          () ->
              pools.devices().size() == 2
                  && pools.devices().stream()
                      .allMatch(device -> device.depth(SPEC).loaded() == LOADED));
      assertThat(module.faults("C_OpenSession")).isEqualTo(2);
      assertThat(
              hsm(keywell.management().get("/actuator/health/readiness"), "west")
                  .path("state")
                  .asString())
          .isEqualTo("up");
      assertThat(keywell.scrape().value("keywell_hsm_up", "device", "west")).isEqualTo(1);
      assertThat(keywell.scrape().value("keywell_ca_up", "device", "west")).isEqualTo(1);
      assertThat(keywell.part(OwnWitness.class).keys()).as("of the witness").hasSize(2);
      long before = module.calls("C_Sign");
      for (int i = 0; i < 4; i++) {
        assertSigns(keywell);
      }
      assertThat(module.calls("C_Sign")).as("it takes its share").isGreaterThan(before);
    }
  }

  /** Each attempt would leave a provider of the CA's in memory. */
  @Test
  void oneThatLacksItsCaKeyIsLeftOut() throws Exception {
    Map<String, String> withoutCa = settings("if-missing");
    withoutCa.put("keywell.hsm.devices[1].role", "generate");
    RunningKeywell.start(withoutCa).close();
    module.gone(CKR_DEVICE_REMOVED);

    try (RunningKeywell keywell = RunningKeywell.start(settings("never"))) {
      long before = module.calls("C_Login");
      module.back();
      Await.until("it has come", () -> module.calls("C_Login") > before);
      Thread.sleep(BETWEEN_LOOKS);
      long once = module.calls("C_Login");
      Thread.sleep(BETWEEN_LOOKS);

      assertThat(module.calls("C_Login")).as("not tried again").isEqualTo(once);
      assertThat(keywell.part(KeyPools.class).devices()).hasSize(1);
      assertSigns(keywell);
    }
  }

  /** As one whose token was replaced: there at the start, and of no use. */
  @Test
  void oneThatLacksItsCaKeyAtTheStartIsLeftOutByName() throws Exception {
    Map<String, String> withoutCa = settings("if-missing");
    withoutCa.put("keywell.hsm.devices[1].role", "generate");
    RunningKeywell.start(withoutCa).close();

    try (RunningKeywell keywell = RunningKeywell.start(settings("never"))) {
      assertThat(keywell.part(KeyPools.class).devices())
          .extracting(Device::name)
          .containsExactly("east");
      HttpApi.Answer readiness = keywell.management().get("/actuator/health/readiness");
      assertThat(readiness.status()).isEqualTo(200);
      assertThat(hsm(readiness, "west").path("reason").asString()).startsWith("device west: ");
      assertThat(keywell.scrape().value("keywell_hsm_left_out", "device", "west")).isEqualTo(1);
      assertThat(keywell.scrape().value("keywell_hsm_left_out", "device", "east")).isZero();
      assertSigns(keywell);
    }
  }

  private static JsonNode hsm(HttpApi.Answer readiness, String device) {
    return readiness
        .body()
        .path("components")
        .path("hsm")
        .path("details")
        .path("devices")
        .path(device);
  }

  private static void assertSigns(RunningKeywell keywell) throws Exception {
    HttpApi.Answer answer = keywell.http().sign(SignBody.of("document").keySpec(SPEC));
    assertThat(answer.status()).as(answer.body().toString()).isEqualTo(200);
    SignedAnswer.of(answer).verify("SHA256withECDSA", "document".getBytes(UTF_8));
  }
}
