package org.keywell.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.keywell.acceptance.running.RunningKeywell;
import org.keywell.acceptance.running.Settings;
import org.keywell.acceptance.running.Site;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.testkit.FreePort;

/** Health and metrics at the service's own port, if they are given the same. */
final class OnePortIT {

  @TempDir Path home;

  @Test
  void managementSharesTheServicesPort() throws Exception {
    try (Site site = Site.create(home)) {
      site.stock(KeySpec.EC_P256, 1);
      // Zero would stand for two ports.
      String port = Integer.toString(FreePort.find());
      try (RunningKeywell keywell =
          RunningKeywell.start(
              site.settings(
                  Settings.pool(KeySpec.EC_P256, 1),
                  Map.of(
                      "server.address", "127.0.0.1",
                      "server.port", port,
                      "management.server.port", port)))) {
        keywell.awaitLoaded(KeySpec.EC_P256, 1);
        assertThat(keywell.port()).isEqualTo(Integer.parseInt(port));
        assertThat(keywell.http().get("/actuator/health/liveness").status()).isEqualTo(200);
        assertThat(keywell.http().get("/readyz").status()).isEqualTo(200);
        assertThat(keywell.http().text("/actuator/prometheus")).contains("keywell_pool_keys");
      }
    }
  }
}
