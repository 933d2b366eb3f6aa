package org.keywell.service;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.service.running.Await;
import org.keywell.service.running.HttpApi;
import org.keywell.service.running.Relay;
import org.keywell.service.running.RunningKeywell;
import org.keywell.service.running.Settings;
import org.keywell.service.running.SignBody;
import org.keywell.service.running.Site;
import org.keywell.testkit.OwnPostgres;
import org.keywell.testkit.PostgresForTests;

/** A standby is promoted, and then the old primary is back where the service looks for one. */
@Timeout(120)
@Tag("softhsm")
@Tag("postgresql")
final class OldPrimaryIT {

  private static final KeySpec SPEC = KeySpec.EC_P256;
  private static final int STOCK = 40;

  @TempDir Path home;

  @Test
  void anOldPrimaryIsRefusedUntilTheNewOneIsBack() throws Exception {
    try (OwnPostgres old = OwnPostgres.initialize(home.resolve("old"), 16);
        OwnPostgres promoted = old.copyTo(home.resolve("promoted")).asStandbyOf(old)) {
      old.start();
      PostgresForTests.migrate(old.awaitReady().database());
      promoted.start();
      promoted.awaitReady();
      try (Site site = Site.create(home, old.database())) {
        site.stock(SPEC, STOCK);
        serve(site, old, promoted);
      }
    }
  }

  private static void serve(Site site, OwnPostgres old, OwnPostgres promoted) throws Exception {
    Relay way = Relay.start(0, address(old));
    int port = way.port();
    String url = site.database().url().replaceFirst(":\\d+/", ":" + port + "/");
    try (RunningKeywell keywell =
        RunningKeywell.start(
            site.settings(Settings.pool(SPEC, 5), Map.of("keywell.database.url", url)))) {
      HttpApi http = keywell.http();
      assertSigns(http);

      way.close();
      promoted.awaitAllOf(old);
      promoted.promote();
      way = Relay.start(port, address(promoted));
      assertSigns(http);

      way = moved(way, port, old);
      Await.until("not ready", () -> http.get("/readyz").status() == 503);
      assertThat(http.sign(SignBody.of("refused").keySpec(SPEC)).problem())
          .isEqualTo("record-unavailable");
      Await.until(
          "both timelines are named",
          () ->
              keywell
                  .management()
                  .get("/actuator/health/readiness")
                  .body()
                  .toString()
                  .matches(".*is on timeline 1, but timeline 2 was seen.*"));

      way = moved(way, port, promoted);
      assertSigns(http);
      Await.until("ready", () -> http.get("/readyz").status() == 200);
    } finally {
      way.close();
    }
  }

  private static Relay moved(Relay way, int port, OwnPostgres to) throws IOException {
    way.close();
    return Relay.start(port, address(to));
  }

  private static URI address(OwnPostgres server) {
    return URI.create(server.database().url().substring("jdbc:".length()));
  }

  private static void assertSigns(HttpApi http) throws InterruptedException {
    Await.until("signed", () -> http.sign(SignBody.of("document").keySpec(SPEC)).status() == 200);
  }
}
