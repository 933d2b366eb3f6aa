package org.keywell.service;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.service.running.Clients;
import org.keywell.service.running.HttpApi;
import org.keywell.service.running.KeywellProcess;
import org.keywell.service.running.Settings;
import org.keywell.service.running.SignBody;
import org.keywell.service.running.Site;
import org.keywell.service.running.Sql;

/**
 * SIGTERM under load: what was accepted is answered, and what was not used is back in the store.
 */
final class TerminationIT {

  private static final KeySpec SPEC = KeySpec.EC_P256;
  private static final int STOCK = 1_500;

  @TempDir Path home;

  @Test
  void anOrderlyStopLosesNeitherRequestNorKey() throws Exception {
    try (Site site = Site.create(home)) {
      Sql sql = site.sql();
      site.stock(SPEC, STOCK);
      Set<String> answered = new TreeSet<>();
      try (KeywellProcess keywell = serve(site, "first.log");
          Clients clients = Clients.start(keywell.awaitReady(), SPEC, 4)) {
        clients.awaitAnswers(100);
        keywell.terminate();
        assertThat(keywell.awaitExit()).as(keywell.log()).isIn(0, 143);
        clients.join();
        clients
            .answered()
            .forEach((id, answer) -> {
              if (answer.status() == 200) {
                answered.add(id.toString());
              } else {
                assertThat(answer.problem()).isEqualTo("shutting-down");
              }
            });
      }
      assertThat(sql.texts("SELECT request_id FROM sign_request WHERE status = 'signed'"))
          .as("requests on record, and those that were answered")
          .containsExactlyInAnyOrderElementsOf(answered);
      assertThat(sql.count("SELECT count(*) FROM sign_request WHERE status <> 'signed'")).isZero();
      assertBalance(sql, answered.size());

      try (KeywellProcess keywell = serve(site, "second.log")) {
        HttpApi http = keywell.awaitReady();
        assertThat(keywell.log()).doesNotContain("ended without order");
        assertThat(http.sign(SignBody.of("after").keySpec(SPEC)).status()).isEqualTo(200);
        keywell.terminate();
        assertThat(keywell.awaitExit()).isIn(0, 143);
      }
      assertBalance(sql, answered.size() + 1);
    }
  }

  /** As an outage of the database leaves behind, whose outcome was lost with it. */
  @Test
  void anOrderlyStopClosesWhatAFailureLeftOpen() throws Exception {
    try (Site site = Site.create(home)) {
      try (KeywellProcess keywell = serve(site, "first.log")) {
        keywell.awaitReady();
        site.sql()
            .update(
                "INSERT INTO claimed_key (id, key_spec, instance)"
                    + " VALUES (-1, 'EC-P256', 'keywell-1')");
        keywell.terminate();
        assertThat(keywell.awaitExit()).as(keywell.log()).isIn(0, 143);
        assertThat(keywell.log()).contains("closed at the stop").contains("0 requests, 1 keys");
      }
      assertThat(site.sql().count("SELECT count(*) FROM claimed_key")).isZero();

      try (KeywellProcess keywell = serve(site, "second.log")) {
        keywell.awaitReady();
        assertThat(keywell.log()).doesNotContain("ended without order");
      }
    }
  }

  private static KeywellProcess serve(Site site, String log) throws Exception {
    return KeywellProcess.start(
        site.settings(Settings.pool(SPEC, 60)), site.home().resolve(log), "serve");
  }

  private static void assertBalance(Sql sql, int used) throws Exception {
    assertThat(sql.count("SELECT count(*) FROM claimed_key")).as("keys on the ledger").isZero();
    assertThat(sql.count("SELECT count(*) FROM pool_key")).isEqualTo(STOCK - used);
  }
}
