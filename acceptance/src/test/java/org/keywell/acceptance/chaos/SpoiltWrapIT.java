package org.keywell.acceptance.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.keywell.acceptance.running.HttpApi;
import org.keywell.acceptance.running.RunningKeywell;
import org.keywell.acceptance.running.Settings;
import org.keywell.acceptance.running.SignBody;
import org.keywell.acceptance.running.Site;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.keypool.hsm.pkcs11.SoftHsmToken;
import org.keywell.testkit.Await;
import org.keywell.testkit.Fault;
import org.keywell.testkit.FaultyModule;

/**
 * A module that wraps wrongly with {@code CKR_OK}: what is stored before serves on, nothing that is
 * of no use is stored, the generator of that device stops, and goes on by itself.
 */
@Tag("chaos")
@Tag("softhsm")
@Tag("postgresql")
@Timeout(240)
final class SpoiltWrapIT {

  private static final int STOCK = 30;
  private static final String DISTRUSTED = "distrusted";

  @TempDir Path home;

  static Stream<List<KeySpec>> pools() {
    return Stream.of(
        List.of(KeySpec.EC_P256),
        List.of(KeySpec.RSA_2048),
        List.of(KeySpec.EC_P256, KeySpec.RSA_2048));
  }

  @ParameterizedTest
  @MethodSource("pools")
  void itsPoolIsNotFilled(List<KeySpec> specs) throws Exception {
    Map<String, String> settings = new HashMap<>();
    specs.forEach(spec -> settings.putAll(pool(spec)));
    try (FaultyModule module = FaultyModule.create(home.resolve("hsm"));
        Site site = Site.create(home, module.path());
        RunningKeywell keywell = RunningKeywell.start(settings(site, settings))) {
      awaitStock(site, specs.size() * STOCK);

      module.inject("C_WrapKey", Fault.corrupting());
      for (int i = 0; i < STOCK; i++) {
        for (KeySpec spec : specs) {
          assertThat(sign(keywell, spec)).isEqualTo(200);
        }
      }
      Await.until("the generator stops", () -> threads(keywell, DISTRUSTED) == 1);
      HttpApi.Answer ready = keywell.http().get("/readyz");
      assertThat(ready.status()).isEqualTo(200);
      assertThat(keywell.management().get("/actuator/health/readiness").body().toString())
          .contains("\"generatorsStoppedByDiscards\":[\"hsm\"]");

      module.clear("C_WrapKey");
      awaitStock(site, specs.size() * STOCK);
      assertThat(threads(keywell, DISTRUSTED)).isZero();
      for (KeySpec spec : specs) {
        assertThat(sign(keywell, spec)).isEqualTo(200);
        assertThat(discarded(keywell, spec)).as("thrown away when loaded, of %s", spec).isZero();
      }
      keywell.assertNoKeyButLoaded();
    }
  }

  @Test
  void anotherDeviceFillsThePoolForBoth() throws Exception {
    KeySpec spec = KeySpec.EC_P256;
    try (FaultyModule first = FaultyModule.create(home.resolve("a"));
        FaultyModule second = FaultyModule.create(home.resolve("b"));
        Site site = Site.create(home, first.path())) {
      SoftHsmToken other = SoftHsmToken.create(second.path());
      SharedWrappingKey.enrol(site.token(), other);
      Map<String, String> settings = settings(site, pool(spec));
      settings.put("keywell.hsm.wrapping-key-label", SharedWrappingKey.LABEL);
      device(
          settings,
          0,
          "a",
          site.token(),
          Objects.requireNonNull(settings.get("keywell.hsm.pin-file")));
      Path otherHome = Files.createDirectories(home.resolve("other"));
      device(settings, 1, "b", other, other.writePinFile(otherHome).toString());
      try (RunningKeywell keywell = RunningKeywell.start(settings)) {
        awaitStock(site, STOCK);
        second.inject("C_WrapKey", Fault.corrupting());

        Await.until(
            "the generator of b stops, and keys are signed with meanwhile",
            () -> sign(keywell, spec) == 200 && threads(keywell, DISTRUSTED) == 1);
        awaitStock(site, STOCK);
        assertThat(keywell.management().get("/actuator/health/readiness").body().toString())
            .contains("\"generatorsStoppedByDiscards\":[\"b\"]");

        second.clear("C_WrapKey");
        Await.until("b makes keys again", () -> threads(keywell, DISTRUSTED) == 0);
      }
    }
  }

  /** One key is loaded; all others are in the store. */
  private static Map<String, String> pool(KeySpec spec) {
    Map<String, String> pool = new HashMap<>(Settings.pool(spec, 2));
    pool.put("keywell.pool.specs." + spec.label() + ".max-stored", Integer.toString(STOCK));
    return pool;
  }

  private static Map<String, String> settings(Site site, Map<String, String> pools) {
    Map<String, String> settings = site.settings(pools);
    if (pools.keySet().stream().noneMatch(name -> name.contains("RSA-2048"))) {
      settings.keySet().removeIf(name -> name.startsWith("keywell.pool.specs.RSA-2048."));
    }
    settings.put("keywell.pool.idle-after", "1ms");
    settings.put("keywell.pool.when-empty", "generate");
    return settings;
  }

  private static void device(
      Map<String, String> settings, int index, String name, SoftHsmToken token, String pinFile) {
    String prefix = "keywell.hsm.devices[" + index + "].";
    settings.put(prefix + "name", name);
    settings.put(prefix + "module", token.config().module().toString());
    settings.put(prefix + "token-label", token.config().tokenLabel());
    settings.put(prefix + "pin-file", pinFile);
  }

  private static int sign(RunningKeywell keywell, KeySpec spec) throws Exception {
    return keywell.http().sign(SignBody.of("a document").keySpec(spec)).status();
  }

  private static void awaitStock(Site site, int keys) throws Exception {
    Await.until(
        keys + " keys are stored", () -> site.sql().count("SELECT count(*) FROM pool_key") >= keys);
  }

  private static int threads(RunningKeywell keywell, String state) throws Exception {
    return (int) keywell.scrape().value("keywell_generator_threads", "state", state);
  }

  private static double discarded(RunningKeywell keywell, KeySpec spec) throws Exception {
    return keywell.scrape().value("keywell_keys_discarded_total", "key_spec", spec.label());
  }
}
