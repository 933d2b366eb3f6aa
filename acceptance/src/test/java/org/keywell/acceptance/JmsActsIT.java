package org.keywell.acceptance;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import jakarta.jms.JMSException;
import jakarta.jms.JMSProducer;
import jakarta.jms.Message;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.keywell.acceptance.running.ActCalls;
import org.keywell.acceptance.running.ArtemisBroker;
import org.keywell.acceptance.running.CmsMessages;
import org.keywell.acceptance.running.JmsClient;
import org.keywell.acceptance.running.JmsClient.Answer;
import org.keywell.acceptance.running.KeywellProcess;
import org.keywell.acceptance.running.ProtectedQueues;
import org.keywell.acceptance.running.Settings;
import org.keywell.acceptance.running.Site;
import org.keywell.keypool.hsm.KeySpec;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Acts in two calls over a broker, from a queue that two instances share: the second call reaches
 * the one that has the key, and is answered even when that one is gone.
 */
@Tag("process")
@Timeout(280)
final class JmsActsIT {

  private static final KeySpec SPEC = KeySpec.EC_P256;
  private static final JsonMapper JSON = JsonMapper.shared();
  private static final String PORTAL = ArtemisBroker.PORTAL;
  private static final String INSTANCE = "KeywellInstance";
  private static final long SOON = 60_000;

  @TempDir Path home;
  @TempDir Path files;

  /** How callers send and are answered. */
  @FunctionalInterface
  private interface Line {
    Answer ask(String caller, String json, @Nullable String instance) throws Exception;
  }

  @Test
  void anActIsSignedWhereItsKeyIs() throws Exception {
    try (ArtemisBroker broker = ArtemisBroker.start(files.resolve("broker"));
        JmsClient portal = JmsClient.artemis(broker.port(), PORTAL);
        JmsClient other = JmsClient.artemis(broker.port(), ArtemisBroker.OTHER)) {
      Map<String, JmsClient> clients = Map.of(PORTAL, portal, ArtemisBroker.OTHER, other);
      run(
          ArtemisBroker.settings(broker.port(), files),
          (caller, json, instance) -> {
            JmsClient client = Objects.requireNonNull(clients.get(caller));
            client.send(
                "asked",
                context -> {
                  try {
                    Message message = context.createTextMessage(json);
                    if (instance != null) {
                      message.setStringProperty(INSTANCE, instance);
                    }
                    return message;
                  } catch (JMSException e) {
                    throw new AssertionError(e);
                  }
                });
            return Objects.requireNonNull(client.next(SOON), "no answer came");
          });
    }
  }

  /** Another carries the messages, over AMQP, with a client of another maker. */
  @Tag("fault")
  @Test
  void aProtectedActIsSignedWhereItsKeyIs() throws Exception {
    Map<String, String> settings = new HashMap<>();
    try (ArtemisBroker broker = ArtemisBroker.start(files.resolve("broker"));
        JmsClient carrier = JmsClient.amqp(broker.port(), ArtemisBroker.STRANGER);
        JmsClient portal = JmsClient.artemis(broker.port(), PORTAL);
        JmsClient other = JmsClient.artemis(broker.port(), ArtemisBroker.OTHER)) {
      CmsMessages cms = new CmsMessages(files);
      Map<String, JmsClient> clients = Map.of(PORTAL, portal, ArtemisBroker.OTHER, other);
      settings.putAll(ArtemisBroker.settings(broker.port(), files));
      settings.putAll(ProtectedQueues.settings(files));
      run(
          settings,
          (caller, json, instance) -> {
            String replies = ArtemisBroker.REPLIES + caller;
            byte[] entity =
                CmsMessages.entity(
                    UUID.randomUUID() + "@tax.example",
                    Instant.now(),
                    ArtemisBroker.SIGNED,
                    replies,
                    json);
            JMSProducer producer = carrier.context().createProducer();
            if (instance != null) {
              var _ = producer.setProperty(INSTANCE, instance);
            }
            var _ =
                producer.send(
                    carrier.context().createQueue(ArtemisBroker.SIGNED), cms.sign(entity, caller));
            Message back =
                Objects.requireNonNull(
                    Objects.requireNonNull(clients.get(caller)).nextOf(replies, SOON),
                    "no answer came");
            String text = new String(cms.verify(back.getBody(byte[].class), "ca"), UTF_8);
            String body = text.substring(text.indexOf("\r\n\r\n") + 4);
            return new Answer(back.getJMSType(), "", JSON.readTree(body), body);
          });
    }
  }

  private void run(Map<String, String> jms, Line line) throws Exception {
    try (Site site = Site.create(Files.createDirectory(home.resolve("site")))) {
      site.stock(SPEC, 40);
      bootstrap(site);
      try (KeywellProcess one = start(site, jms, "one");
          KeywellProcess two = start(site, jms, "two")) {
        var _ = one.awaitReady();
        var _ = two.awaitReady();
        signs(line);
        endsWithoutASignature(line);

        UUID left = UUID.randomUUID();
        String holder = open(line, left, 9);
        (holder.equals("one") ? one : two).kill();
        // For the one that is gone; the other takes it once the act has ended in any case.
        assertThat(line.ask(PORTAL, sign(left, "late"), holder).problem())
            .isIn("act-elsewhere", "interrupted");
        String end = "act-elsewhere";
        long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (end.equals("act-elsewhere") && System.nanoTime() < until) {
          TimeUnit.MILLISECONDS.sleep(500);
          end = line.ask(PORTAL, sign(left, "late"), null).problem();
        }
        assertThat(end).isEqualTo("interrupted");
      }
      assertThat(site.sql().count("SELECT count(*) FROM sign_request WHERE status = 'signed'"))
          .isOne();
      assertThat(site.sql().count("SELECT count(*) FROM sign_request WHERE caller <> 'portal'"))
          .isZero();
      assertThat(site.ledger().balances()).allMatch(balance -> balance.difference() == 0);
    }
  }

  private static void signs(Line line) throws Exception {
    UUID act = UUID.randomUUID();
    String holder = open(line, act, 20);
    assertThat(open(line, act, 20)).as("opened once").isEqualTo(holder);

    Answer elsewhere =
        line.ask(PORTAL, sign(act, "document"), holder.equals("one") ? "two" : "one");
    assertThat(elsewhere.problem()).as(elsewhere.text()).isEqualTo("act-elsewhere");
    assertThat(elsewhere.body().path("heldBy").asString()).isEqualTo(holder);
    for (String json : List.of(sign(act, "forged"), cancel(act))) {
      assertThat(line.ask(ArtemisBroker.OTHER, json, holder).problem())
          .isEqualTo("request-unknown");
    }

    Answer signed = line.ask(PORTAL, sign(act, "document"), holder);
    assertThat(signed.type()).as(signed.text()).isEqualTo("SignResponse");
    signed.verify("SHA256withECDSA", "document 0");
    assertThat(line.ask(PORTAL, sign(act, "document"), null).body().path("signature"))
        .isEqualTo(signed.body().path("signature"));
    assertThat(line.ask(PORTAL, sign(act, "another"), holder).problem()).isEqualTo("act-signed");
    assertThat(line.ask(PORTAL, cancel(act), holder).problem()).isEqualTo("act-signed");
  }

  private static void endsWithoutASignature(Line line) throws Exception {
    UUID cancelled = UUID.randomUUID();
    String holder = open(line, cancelled, 20);
    Answer end = line.ask(PORTAL, cancel(cancelled), holder);
    assertThat(end.type()).as(end.text()).isEqualTo("Act");
    assertThat(end.body().path("status").asString()).isEqualTo("cancelled");
    assertThat(line.ask(PORTAL, sign(cancelled, "document"), holder).problem())
        .isEqualTo("act-cancelled");

    UUID expired = UUID.randomUUID();
    String had = open(line, expired, 1);
    TimeUnit.MILLISECONDS.sleep(1_200);
    assertThat(line.ask(PORTAL, sign(expired, "document"), had).problem()).isEqualTo("act-expired");
    assertThat(line.ask(PORTAL, cancel(expired), had).problem()).isEqualTo("act-expired");
  }

  /** Returns the instance that has it. */
  private static String open(Line line, UUID act, int seconds) throws Exception {
    Answer answer =
        line.ask(
            PORTAL, ActCalls.body(act, SPEC, 1).with("timeToLiveSeconds", seconds).json(), null);
    assertThat(answer.type()).as(answer.text()).isEqualTo("Act");
    JsonNode body = answer.body();
    assertThat(body.path("actId").asString()).isEqualTo(act.toString());
    assertThat(body.path("status").asString()).isEqualTo("open");
    assertThat(body.path("certificateChain").size()).isGreaterThan(1);
    return body.path("instance").asString();
  }

  private static String sign(UUID act, String document) {
    byte[] digest = ActCalls.digests(document, 1).getFirst();
    return JSON.writeValueAsString(
        Map.of("actId", act, "digests", List.of(Base64.getEncoder().encodeToString(digest))));
  }

  private static String cancel(UUID act) {
    return JSON.writeValueAsString(Map.of("actId", act, "cancel", true));
  }

  /** One process at a time may make what a token lacks. */
  private void bootstrap(Site site) throws Exception {
    try (KeywellProcess process =
        KeywellProcess.start(site.settings(), home.resolve("bootstrap.log"), "bootstrap")) {
      assertThat(process.awaitExit()).as(process.log()).isZero();
    }
  }

  private KeywellProcess start(Site site, Map<String, String> jms, String name) throws Exception {
    Map<String, String> own =
        Map.of(
            "keywell.instance",
            name,
            "keywell.acts.max-time-to-live",
            "20s",
            "keywell.acts.default-time-to-live",
            "20s");
    return KeywellProcess.start(
        site.settings(Settings.pool(SPEC, 10), jms, own), home.resolve(name + ".log"), "serve");
  }
}
