package org.keywell.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.keywell.acceptance.running.ActCalls;
import org.keywell.acceptance.running.HttpApi;
import org.keywell.acceptance.running.KeywellProcess;
import org.keywell.acceptance.running.Settings;
import org.keywell.acceptance.running.SignBody;
import org.keywell.acceptance.running.Site;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.keypool.store.LedgerBalance;
import org.keywell.testkit.Await;
import org.keywell.testkit.Sql;

/** An act is with the instance that has its key, and ends with it. */
@Tag("process")
@Timeout(180)
final class ActInstancesIT {

  private static final KeySpec SPEC = KeySpec.EC_P256;
  private static final List<byte[]> DIGESTS = ActCalls.digests("document", 2);

  @TempDir Path home;

  @Test
  void otherInstancesTellWhoHasItUntilThatOneIsKilled() throws Exception {
    try (Site site = Site.create(home)) {
      site.stock(SPEC, 60);
      bootstrap(site);
      Sql sql = site.sql();
      UUID left = UUID.randomUUID();
      UUID signed = UUID.randomUUID();
      try (KeywellProcess one = start(site, "one");
          KeywellProcess two = start(site, "two")) {
        ActCalls atOne = new ActCalls(one.awaitReady());
        ActCalls atTwo = new ActCalls(two.awaitReady());
        HttpApi.Answer opened = atOne.open(body(left));
        assertThat(opened.status()).as("%s%n%s", opened.body(), one.log()).isEqualTo(201);

        assertElsewhere(atTwo.sign(left, DIGESTS));
        assertElsewhere(atTwo.cancel(left));
        assertThat(atTwo.find(left).body()).isEqualTo(opened.body());
        assertThat(atTwo.open(body(left)).body()).isEqualTo(opened.body());
        atOne.open(body(signed));
        HttpApi.Answer answer = atOne.sign(signed, DIGESTS);
        assertThat(answer.status()).isEqualTo(200);
        assertThat(atTwo.sign(signed, DIGESTS).body()).isEqualTo(answer.body());
        assertThat(atTwo.cancel(signed).problem()).isEqualTo("act-signed");

        one.kill();
        Await.until(
            "the other has closed it",
            () -> atTwo.find(left).body().path("status").asString().equals("failed"));
        assertInterrupted(atTwo, left);
        two.terminate();
        assertThat(two.awaitExit()).isIn(0, 143);
      }
      assertForfeited(site, sql, left);
    }
  }

  @Test
  void aKilledInstanceClosesItWhenItIsStartedAgain() throws Exception {
    try (Site site = Site.create(home)) {
      site.stock(SPEC, 60);
      Sql sql = site.sql();
      UUID left = UUID.randomUUID();
      try (KeywellProcess one = start(site, "one")) {
        ActCalls acts = new ActCalls(one.awaitReady());
        assertThat(acts.open(body(left)).status()).isEqualTo(201);
        one.kill();
      }
      try (KeywellProcess again = start(site, "one")) {
        ActCalls acts = new ActCalls(again.awaitReady());
        assertInterrupted(acts, left);
        UUID stopped = UUID.randomUUID();
        assertThat(acts.open(body(stopped)).status()).isEqualTo(201);
        again.terminate();
        assertThat(again.awaitExit()).as(again.log()).isIn(0, 143);
        assertThat(
                sql.count(
                    """
                    SELECT count(*) FROM sign_request WHERE request_id = '%s'
                      AND failure = 'interrupted' AND destruction_return_value = 0
                    """
                        .formatted(stopped)))
            .as("an act that is open ends with the service, its key destroyed")
            .isEqualTo(1);
      }
      assertForfeited(site, sql, left);
    }
  }

  private static void assertElsewhere(HttpApi.Answer answer) {
    assertThat(answer.status()).isEqualTo(421);
    assertThat(answer.problem()).isEqualTo("act-elsewhere");
    assertThat(answer.body().path("heldBy").asString()).isEqualTo("one");
  }

  private static void assertInterrupted(ActCalls acts, UUID id) throws Exception {
    assertThat(acts.sign(id, DIGESTS).problem()).isEqualTo("interrupted");
    assertThat(acts.open(body(id)).problem()).isEqualTo("interrupted");
    assertThat(acts.cancel(id).problem()).isEqualTo("interrupted");
  }

  /**
   * Its key signed nothing, is nowhere any more, and is accounted for; its certificate is known.
   */
  private static void assertForfeited(Site site, Sql sql, UUID id) throws Exception {
    assertThat(
            sql.count(
                """
                SELECT count(*) FROM unused_certificate u JOIN sign_request s USING (request_id)
                WHERE request_id = '%s' AND s.failure = 'interrupted' AND s.signature IS NULL
                """
                    .formatted(id)))
        .isEqualTo(1);
    assertThat(sql.count("SELECT count(*) FROM claimed_key")).isZero();
    assertThat(
            sql.count(
                """
                SELECT count(*) FROM sign_request s JOIN pool_key p ON p.id = s.key_id
                WHERE request_id = '%s'
                """
                    .formatted(id)))
        .isZero();
    assertThat(site.ledger().balances()).extracting(LedgerBalance::difference).containsOnly(0L);
  }

  private static SignBody body(UUID id) {
    return ActCalls.body(id, SPEC, DIGESTS.size()).with("timeToLiveSeconds", 300);
  }

  /** One process at a time may make what a token lacks. */
  private void bootstrap(Site site) throws Exception {
    try (KeywellProcess process =
        KeywellProcess.start(site.settings(), home.resolve("bootstrap.log"), "bootstrap")) {
      assertThat(process.awaitExit()).as(process.log()).isZero();
    }
  }

  private KeywellProcess start(Site site, String name) throws Exception {
    return KeywellProcess.start(
        site.settings(
            Settings.pool(SPEC, 20), Map.of("keywell.instance", name, "keywell.http.drain", "0s")),
        home.resolve(name + "-" + System.nanoTime() + ".log"),
        "serve");
  }
}
