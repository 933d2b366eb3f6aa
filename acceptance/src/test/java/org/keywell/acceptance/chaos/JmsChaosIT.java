package org.keywell.acceptance.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.keywell.acceptance.running.ArtemisBroker;
import org.keywell.acceptance.running.BrokerProcess;
import org.keywell.acceptance.running.JmsClient;
import org.keywell.acceptance.running.JmsClient.Answer;
import org.keywell.acceptance.running.KeywellProcess;
import org.keywell.acceptance.running.Settings;
import org.keywell.acceptance.running.SignBody;
import org.keywell.acceptance.running.Site;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.testkit.FreePort;

/**
 * Kills the broker, then the service, then both, again and again in the middle of requests. 400
 * requests by default; {@code -Dkeywell.chaos.jms} says otherwise.
 */
@Tag("chaos")
@Tag("process")
@Timeout(3600)
final class JmsChaosIT {

  private static final int REQUESTS = Integer.getInteger("keywell.chaos.jms", 400);

  /** One in four kills nothing. */
  private static final int ROUNDS = Math.max(4, REQUESTS / 1_000 * 4);

  private static final KeySpec SPEC = KeySpec.EC_P256;
  private static final String DOCUMENT = "a document";
  private static final int LOADED = 25;

  /** How far a token's mark is ahead of the claims, at most; a kill costs the keys up to it. */
  private static final int AHEAD = 500;

  private static final long SOON = 90_000;

  /** Of requests in flight at a kill of the service. */
  private static final int MOST_IN_FLIGHT = 10;

  @TempDir Path home;
  @TempDir Path files;

  private final Map<String, UUID> sent = new HashMap<>();
  private final Map<String, Answer> answers = new HashMap<>();
  private Site site;
  private int port;

  @BeforeEach
  void begin() throws Exception {
    site = Site.create(home);
    port = FreePort.find();
  }

  @AfterEach
  void end() {
    site.close();
  }

  @Test
  void nothingIsLostAndNothingSignedTwice() throws Exception {
    // A kill costs the keys that are loaded, and those that may have been.
    site.stock(SPEC, REQUESTS + ROUNDS / 2 * (LOADED + AHEAD) + LOADED);
    long began = System.nanoTime();
    int kills = killInTheMiddle();
    long seconds = (System.nanoTime() - began) / 1_000_000_000;
    int signed = verify();
    assertThat(site.ledger().balances()).allMatch(balance -> balance.difference() == 0);
    System.out.printf(
        "chaos: jms: %d requests, %d rounds, %d kills of the service, %d s: %d signed, %d"
            + " interrupted%n",
        REQUESTS, ROUNDS, kills, seconds, signed, REQUESTS - signed);
    assertThat(REQUESTS - signed).isLessThanOrEqualTo(kills * MOST_IN_FLIGHT);
  }

  /** Returns how often the service was killed. */
  private int killInTheMiddle() throws Exception {
    int kills = 0;
    BrokerProcess broker = BrokerProcess.start(files, port);
    KeywellProcess keywell = start(0);
    try {
      for (int round = 0; round < ROUNDS; round++) {
        sendAndTakeSome(round);
        boolean killsBroker = round % 4 == 0 || round % 4 == 2;
        if (killsBroker) {
          broker.kill();
        }
        if (round % 4 == 1 || round % 4 == 2) {
          keywell.kill();
          keywell = start(++kills);
        }
        if (killsBroker) {
          TimeUnit.SECONDS.sleep(1);
          broker = BrokerProcess.start(files, port);
        }
      }
      try (JmsClient portal = JmsClient.artemis(port, ArtemisBroker.PORTAL)) {
        while (answers.size() < REQUESTS) {
          take(portal);
        }
        assertThat(portal.next(1_000)).as("each request has one answer").isNull();
      }
    } finally {
      keywell.kill();
      broker.kill();
    }
    return kills;
  }

  private void sendAndTakeSome(int round) throws Exception {
    try (JmsClient portal = JmsClient.artemis(port, ArtemisBroker.PORTAL)) {
      for (int i = sent.size(); i < (long) REQUESTS * (round + 1) / ROUNDS; i++) {
        UUID id = UUID.randomUUID();
        sent.put("r" + i, id);
        portal.send(
            "r" + i,
            SignBody.of(DOCUMENT).keySpec(SPEC).requestId(id).deadlineMillis(30_000).json());
      }
      for (int i = 0; i < 20; i++) {
        take(portal);
      }
    }
  }

  private KeywellProcess start(int number) throws Exception {
    KeywellProcess keywell =
        KeywellProcess.start(
            site.settings(Settings.pool(SPEC, LOADED), ArtemisBroker.settings(port, files)),
            files.resolve("log" + number),
            "serve");
    var _ = keywell.awaitReady();
    return keywell;
  }

  /** An answer may come twice if the broker was killed before it knew that it was read. */
  private void take(JmsClient portal) throws Exception {
    Answer answer =
        Objects.requireNonNull(
            portal.next(SOON),
            () -> "no answer came; %d of %d before".formatted(answers.size(), sent.size()));
    @Nullable Answer before = answers.put(answer.correlationId(), answer);
    if (before != null) {
      assertThat(answer.body().path("signature")).isEqualTo(before.body().path("signature"));
    }
  }

  /** Returns how many were signed. */
  private int verify() throws Exception {
    Set<String> signatures = new HashSet<>();
    int signed = 0;
    for (Map.Entry<String, UUID> request : sent.entrySet()) {
      Answer answer = Objects.requireNonNull(answers.get(request.getKey()));
      if (answer.type().equals("SignResponse")) {
        answer.verify("SHA256withECDSA", DOCUMENT);
        assertThat(answer.body().path("requestId").asString())
            .isEqualTo(request.getValue().toString());
        assertThat(signatures.add(answer.body().path("signature").asString())).isTrue();
        signed++;
      } else {
        // In flight when the service was killed: on record as such, and its key gone.
        assertThat(answer.problem()).as(answer.text()).isEqualTo("interrupted");
      }
    }
    assertThat(site.sql().count("SELECT count(*) FROM sign_request")).isEqualTo(REQUESTS);
    assertThat(site.sql().count("SELECT count(*) FROM sign_request WHERE status = 'signed'"))
        .isEqualTo(signed);
    assertThat(site.sql().count("SELECT count(*) FROM used_key")).isGreaterThanOrEqualTo(signed);
    return signed;
  }
}
