package org.keywell.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import java.net.URI;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.keywell.acceptance.running.HttpApi;
import org.keywell.acceptance.running.Relay;
import org.keywell.acceptance.running.RunningKeywell;
import org.keywell.acceptance.running.Settings;
import org.keywell.acceptance.running.SignBody;
import org.keywell.acceptance.running.Site;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.testkit.Await;
import org.keywell.testkit.OwnPostgres;
import org.keywell.testkit.PostgresForTests;
import org.keywell.testkit.Sql;

/** A standby is promoted, and the old primary is back where the service looks for one. */
@Timeout(120)
@Tag("softhsm")
@Tag("postgresql")
@Tag("process")
@Tag("fault")
final class OldPrimaryIT {

  private static final KeySpec SPEC = KeySpec.EC_P256;
  private static final int STOCK = 40;

  /** Where nobody listens. */
  private static final URI NOWHERE = URI.create("tcp://127.0.0.1:1");

  @TempDir Path home;

  @FunctionalInterface
  private interface Story {
    void tell(Site site, OwnPostgres old, OwnPostgres promoted) throws Exception;
  }

  private void withStandby(Story story) throws Exception {
    try (OwnPostgres old = OwnPostgres.initialize(home.resolve("old"), 16);
        OwnPostgres promoted = old.copyTo(home.resolve("promoted")).asStandbyOf(old)) {
      old.start();
      PostgresForTests.migrate(old.awaitReady().database());
      promoted.start();
      promoted.awaitReady();
      try (Site site = Site.create(home, old.database())) {
        site.stock(SPEC, STOCK);
        story.tell(site, old, promoted);
      }
    }
  }

  @Test
  void anOldPrimaryIsRefusedUntilTheNewOneIsBack() throws Exception {
    withStandby(OldPrimaryIT::leadToOldPrimary);
  }

  @Test
  void aFrozenPrimaryThatWakesTakesNoWrites() throws Exception {
    withStandby(OldPrimaryIT::freezeAndWake);
  }

  private static void leadToOldPrimary(Site site, OwnPostgres old, OwnPostgres promoted)
      throws Exception {
    Relay way = Relay.start(0, address(old));
    String url = site.database().url().replaceFirst(":\\d+/", ":" + way.port() + "/");
    try (way;
        RunningKeywell keywell =
            RunningKeywell.start(
                site.settings(Settings.pool(SPEC, 5), Map.of("keywell.database.url", url)))) {
      HttpApi http = keywell.http();
      assertSigns(http);

      way.leadTo(NOWHERE);
      promoted.awaitAllOf(old);
      promoted.promote();
      way.leadTo(address(promoted));
      assertSigns(http);

      way.leadTo(address(old));
      Await.until("not ready", () -> http.get("/readyz").status() == 503);
      assertThat(http.sign(SignBody.of("refused").keySpec(SPEC)).problem())
          .isEqualTo("record-unavailable");
      Await.until("both timelines are named", () -> refusesOldPrimary(keywell));

      way.leadTo(address(promoted));
      assertSigns(http);
      Await.until("ready", () -> http.get("/readyz").status() == 200);
    }
  }

  private static void freezeAndWake(Site site, OwnPostgres old, OwnPostgres promoted)
      throws Exception {
    String url =
        "jdbc:postgresql://%s,%s/postgres?targetServerType=primary&sslmode=disable&hostRecheckSeconds=1"
            .formatted(address(old).getAuthority(), address(promoted).getAuthority());
    try (RunningKeywell keywell =
        RunningKeywell.start(
            site.settings(
                Settings.pool(SPEC, 5),
                Map.of("keywell.database.url", url + "&connectTimeout=3&socketTimeout=2")))) {
      HttpApi http = keywell.http();
      assertSigns(http);
      promoted.awaitAllOf(old);
      Sql atOld = site.sql();
      String written = "SELECT count(*) || ' ' || count(certified) FROM sign_request";
      String before = atOld.text(written);
      old.freeze();
      promoted.promote();
      assertSigns(http);

      old.wake();
      // Both say that they are primaries, and the old one is asked first.
      endConnections(promoted);
      Await.until("the old one is refused", () -> refusesOldPrimary(keywell));
      for (int i = 0; i < 5; i++) {
        assertThat(http.sign(SignBody.of("document").keySpec(SPEC)).status()).isIn(200, 503);
      }
      assertThat(atOld.text(written)).as("written at the old primary").isEqualTo(before);

      old.stop();
      assertSigns(http);
      Await.until("ready", () -> http.get("/readyz").status() == 200);
    }
  }

  private static void endConnections(OwnPostgres server) throws Exception {
    try (HikariDataSource dataSource = server.database().dataSource()) {
      new Sql(dataSource)
          .count(
              """
              SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
              WHERE application_name LIKE 'keywell %'
              """);
    }
  }

  private static boolean refusesOldPrimary(RunningKeywell keywell) throws Exception {
    return keywell
        .management()
        .get("/actuator/health/readiness")
        .body()
        .toString()
        .matches(".*is on timeline 1, but timeline 2 was seen.*");
  }

  private static URI address(OwnPostgres server) {
    return URI.create(server.database().url().substring("jdbc:".length()));
  }

  private static void assertSigns(HttpApi http) throws InterruptedException {
    Await.until("signed", () -> http.sign(SignBody.of("document").keySpec(SPEC)).status() == 200);
  }
}
