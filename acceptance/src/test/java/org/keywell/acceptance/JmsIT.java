package org.keywell.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.jms.BytesMessage;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.TemporaryQueue;
import jakarta.jms.TextMessage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.zip.DeflaterOutputStream;
import org.apache.activemq.artemis.jms.client.ActiveMQBytesMessage;
import org.apache.activemq.artemis.jms.client.ActiveMQMessage;
import org.apache.activemq.artemis.jms.client.ActiveMQTextMessage;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.keywell.acceptance.running.ArtemisBroker;
import org.keywell.acceptance.running.JmsClient;
import org.keywell.acceptance.running.JmsClient.Answer;
import org.keywell.acceptance.running.RunningKeywell;
import org.keywell.acceptance.running.Settings;
import org.keywell.acceptance.running.SignBody;
import org.keywell.acceptance.running.Site;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.testkit.Await;

/** Signing over a real broker: callers, their answers, and messages that are none of theirs. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(280)
final class JmsIT {

  private static final KeySpec SPEC = KeySpec.EC_P256;
  private static final int KEYS = 60;
  private static final String VERIFIED_BY = "SHA256withECDSA";
  private static final String DOCUMENT = "a document";
  private static final long SOON = 20_000;
  private static final int CONSUMERS = 5;
  private static final byte TEXT = ActiveMQTextMessage.TYPE;
  private static final byte BYTES = ActiveMQBytesMessage.TYPE;

  /** By which a sender's client says that it compressed the body. */
  private static final String COMPRESSED = "_AMQ_LARGE_COMPRESSED";

  private Site site;
  private ArtemisBroker broker;
  private RunningKeywell keywell;
  private JmsClient portal;
  private JmsClient service;

  @BeforeAll
  void start(@TempDir Path home, @TempDir Path files) throws Exception {
    site = Site.create(home);
    site.stock(SPEC, KEYS);
    broker = ArtemisBroker.start(files.resolve("broker"));
    keywell =
        RunningKeywell.start(
            site.settings(Settings.pool(SPEC, KEYS), ArtemisBroker.settings(broker.port(), files)));
    keywell.awaitLoaded(SPEC, KEYS);
    portal = JmsClient.artemis(broker.port(), ArtemisBroker.PORTAL);
    service = JmsClient.artemis(broker.port(), ArtemisBroker.SERVICE);
  }

  @AfterAll
  void stop() throws Exception {
    portal.close();
    service.close();
    keywell.close();
    broker.close();
    assertThat(site.ledger().balances()).allMatch(balance -> balance.difference() == 0);
    site.close();
  }

  private static SignBody body(UUID id) {
    return SignBody.of(DOCUMENT).keySpec(SPEC).requestId(id);
  }

  private long rowsOf(UUID id) throws Exception {
    return site.sql().count("SELECT count(*) FROM sign_request WHERE request_id = '" + id + "'");
  }

  private long rows() throws Exception {
    return site.sql().count("SELECT count(*) FROM sign_request");
  }

  private Answer answer(JmsClient client) throws JMSException {
    return Objects.requireNonNull(client.next(SOON), "no answer came");
  }

  private Message deadLetter() {
    return Objects.requireNonNull(
        service.nextOf(ArtemisBroker.DEAD_LETTERS, SOON), "nothing is in the dead-letter queue");
  }

  @Test
  void aRequestIsSignedOnceHoweverOftenItComes() throws Exception {
    UUID id = UUID.randomUUID();
    for (int i = 0; i < 3; i++) {
      portal.send("same " + i, body(id).json());
    }

    String signature = "";
    for (int i = 0; i < 3; i++) {
      Answer answer = answer(portal);
      assertThat(answer.type()).as(answer.text()).isEqualTo("SignResponse");
      assertThat(answer.correlationId()).startsWith("same ");
      answer.verify(VERIFIED_BY, DOCUMENT);
      String this1 = answer.body().path("signature").asString();
      assertThat(signature.isEmpty() || signature.equals(this1)).isTrue();
      signature = this1;
    }
    assertThat(rowsOf(id)).isOne();
    assertThat(site.sql().text("SELECT caller FROM sign_request WHERE request_id = '" + id + "'"))
        .isEqualTo("portal");
  }

  /**
   * The broker states no sender of a message that comes over AMQP, and leaves a property in which
   * the sender states one. So the client of another maker is refused, even an honest one.
   */
  @ParameterizedTest
  @ValueSource(strings = {"none", "JMSXUserID", "_AMQ_VALIDATED_USER"})
  void overAmqpNobodyIsACaller(String property) throws Exception {
    long before = rows();
    for (boolean isText : new boolean[] {true, false}) {
      try (JmsClient amqp = JmsClient.amqp(broker.port(), ArtemisBroker.STRANGER)) {
        String json = body(UUID.randomUUID()).json();
        amqp.send(
            "amqp",
            context -> {
              Message message = isText ? context.createTextMessage(json) : bytes(context, json);
              return property.equals("none")
                  ? message
                  : with(message, property, ArtemisBroker.PORTAL);
            },
            ArtemisBroker.REPLIES + ArtemisBroker.PORTAL);
      }
      Message dead = deadLetter();
      assertThat(dead.getStringProperty("KeywellReason")).isEqualTo("caller-unknown");
      assertThat(dead.getStringProperty("KeywellDetail")).contains("AMQP");
    }
    assertThat(rows()).isEqualTo(before);
  }

  private static BytesMessage bytes(JMSContext context, String json) {
    return bytes(context, json.getBytes(StandardCharsets.UTF_8));
  }

  private static BytesMessage bytes(JMSContext context, byte[] body) {
    try {
      BytesMessage message = context.createBytesMessage();
      message.writeBytes(body);
      return message;
    } catch (JMSException e) {
      throw new AssertionError(e);
    }
  }

  private static byte[] packed(byte[] body) throws IOException {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (DeflaterOutputStream deflater = new DeflaterOutputStream(packed)) {
      deflater.write(body);
    }
    return packed.toByteArray();
  }

  private static Message compressed(BytesMessage message, byte type, long size) {
    try {
      message.setBooleanProperty(COMPRESSED, true);
      message.setLongProperty("_AMQ_LARGE_SIZE", size);
      ((ActiveMQMessage) message).getCoreMessage().setType(type);
      return message;
    } catch (JMSException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void anAnswerGoesToATemporaryQueue() throws Exception {
    JMSContext context = portal.context();
    TemporaryQueue queue = context.createTemporaryQueue();
    portal.send(
        "temporary",
        c -> c.createTextMessage(body(UUID.randomUUID()).json()),
        queue.getQueueName());

    assertThat(context.createConsumer(queue).receive(SOON).getJMSType()).isEqualTo("SignResponse");
  }

  @Test
  void withoutACorrelationIdTheMessageIdIsOne() throws Exception {
    Message message = portal.context().createTextMessage(body(UUID.randomUUID()).json());
    message.setJMSReplyTo(
        portal.context().createQueue(ArtemisBroker.REPLIES + ArtemisBroker.PORTAL));
    portal
        .context()
        .createProducer()
        .send(portal.context().createQueue(ArtemisBroker.REQUESTS), message);

    assertThat(answer(portal).correlationId()).isEqualTo(message.getJMSMessageID());
  }

  @Test
  void anInvalidRequestIsRefusedInTheWordsOfHttp() throws Exception {
    String bad = body(UUID.randomUUID()).with("digest", "AAAA").json();
    portal.send("bad", bad);

    Answer answer = answer(portal);
    assertThat(answer.type()).isEqualTo("Problem");
    assertThat(answer.problem()).isEqualTo("bad-digest");
    assertThat(answer.body().path("detail"))
        .isEqualTo(Objects.requireNonNull(keywell.http().sign(bad).body().path("detail")));
    portal.send("unknown", body(UUID.randomUUID()).with("amount", 1).json());
    assertThat(answer(portal).problem()).isEqualTo("unknown-field");
    portal.send("no id", body(UUID.randomUUID()).without("requestId").json());
    assertThat(answer(portal).problem()).isEqualTo("missing-field");
  }

  @Test
  void anotherCallersRequestIsUnknown() throws Exception {
    UUID id = UUID.randomUUID();
    portal.send("mine", body(id).json());
    answer(portal).verify(VERIFIED_BY, DOCUMENT);

    try (JmsClient other = JmsClient.artemis(broker.port(), ArtemisBroker.OTHER)) {
      other.send("not mine", body(id).json());
      assertThat(answer(other).problem()).isEqualTo("request-unknown");
    }
  }

  /** What a sender writes where the broker does is overwritten. */
  @ParameterizedTest
  @ValueSource(strings = {"JMSXUserID", "_AMQ_VALIDATED_USER"})
  void aSenderCannotPassForACaller(String property) throws Exception {
    long before = rows();
    try (JmsClient stranger = JmsClient.artemis(broker.port(), ArtemisBroker.STRANGER)) {
      stranger.send(
          "forged",
          context ->
              with(
                  context.createTextMessage(body(UUID.randomUUID()).json()),
                  property,
                  ArtemisBroker.PORTAL),
          ArtemisBroker.REPLIES + ArtemisBroker.PORTAL);
    }
    Message dead = deadLetter();
    assertThat(dead.getStringProperty("KeywellReason")).isEqualTo("caller-unknown");
    assertThat(dead.getStringProperty("KeywellSender")).isEqualTo(ArtemisBroker.STRANGER);
    assertThat(rows()).isEqualTo(before);
  }

  @Test
  void aCallerCannotPassForAnother() throws Exception {
    UUID id = UUID.randomUUID();
    portal.send(
        "forged",
        context ->
            with(context.createTextMessage(body(id).json()), "JMSXUserID", ArtemisBroker.OTHER));

    answer(portal).verify(VERIFIED_BY, DOCUMENT);
    assertThat(site.sql().text("SELECT caller FROM sign_request WHERE request_id = '" + id + "'"))
        .isEqualTo("portal");
  }

  private static Message with(Message message, String property, String value) {
    try {
      message.setStringProperty(property, value);
      return message;
    } catch (JMSException e) {
      throw new AssertionError(e);
    }
  }

  /** The answer is sent with the service's rights, which are more than the sender's. */
  @ParameterizedTest
  @ValueSource(
      strings = {"private", "keywell.replies.other", "keywell.requests", "private::private"})
  void anAnswerGoesNowhereElse(String queue) throws Exception {
    long before = rows();
    portal.send(
        "swapped", context -> context.createTextMessage(body(UUID.randomUUID()).json()), queue);

    assertThat(deadLetter().getStringProperty("KeywellReason")).isEqualTo("reply-not-allowed");
    assertThat(rows()).isEqualTo(before);
    assertThat(service.nextOf("private", 100)).isNull();
  }

  @Test
  void aRequestWithoutAReplyAddressIsNotSigned() throws Exception {
    long before = rows();
    portal.send("none", c -> c.createTextMessage(body(UUID.randomUUID()).json()), null);

    assertThat(deadLetter().getStringProperty("KeywellReason")).isEqualTo("reply-missing");
    assertThat(rows()).isEqualTo(before);
  }

  @Test
  void whatIsNoRequestIsMovedAsItIs() throws Exception {
    long before = rows();
    String truncated = body(UUID.randomUUID()).json().substring(0, 100);
    portal.send("truncated", truncated);

    Message dead = deadLetter();
    assertThat(dead.getStringProperty("KeywellReason")).isEqualTo("malformed-json");
    assertThat(dead.getStringProperty("KeywellDetail")).contains("not JSON");
    assertThat(dead.getStringProperty("KeywellSender")).isEqualTo(ArtemisBroker.PORTAL);
    assertThat(dead.getBody(String.class)).isEqualTo(truncated);
    assertThat(answer(portal).problem()).isEqualTo("malformed-json");

    portal.send("map", JMSContext::createMapMessage);
    assertThat(deadLetter().getStringProperty("KeywellReason")).isEqualTo("wrong-type");
    assertThat(answer(portal).problem()).isEqualTo("wrong-type");

    portal.send("object", context -> context.createObjectMessage("serialized"));
    assertThat(deadLetter().getStringProperty("KeywellReason")).isEqualTo("wrong-type");
    assertThat(answer(portal).problem()).isEqualTo("wrong-type");
    assertThat(rows()).isEqualTo(before);
  }

  /** What is that large stays at the broker, and goes with the message. */
  @Test
  void tenMegabytesAreRefusedUnread() throws Exception {
    long before = rows();
    String large = " ".repeat(10 << 20);
    portal.send("text", large);
    Message dead = deadLetter();
    assertThat(dead.getStringProperty("KeywellReason")).isEqualTo("body-too-large");
    assertThat(dead.getStringProperty("KeywellDetail"))
        .contains("keywell.sign.max-body", "20971525 bytes on the wire");
    assertThat(dead).isNotInstanceOfAny(TextMessage.class, BytesMessage.class);
    assertThat(answer(portal).problem()).isEqualTo("body-too-large");

    portal.send("bytes", context -> bytes(context, large));
    assertThat(deadLetter().getStringProperty("KeywellReason")).isEqualTo("body-too-large");
    assertThat(answer(portal).problem()).isEqualTo("body-too-large");
    assertThat(rows()).isEqualTo(before);
  }

  /** A sender's client compresses bodies, and writes into properties how large they get. */
  @ParameterizedTest
  @ValueSource(bytes = {TEXT, BYTES})
  void aBodyThatUnpacksWithoutEndIsRefused(byte type) throws Exception {
    long before = rows();
    byte[] bomb = packed(new byte[10 << 20]);
    portal.send("bomb", context -> compressed(bytes(context, bomb), type, Integer.MAX_VALUE));

    Message dead = deadLetter();
    assertThat(dead.getStringProperty("KeywellReason")).isEqualTo("body-too-large");
    assertThat(dead.getStringProperty("KeywellDetail")).contains("unpacked");
    assertThat(answer(portal).problem()).isEqualTo("body-too-large");
    assertThat(rows()).isEqualTo(before);
  }

  /** The client fails at these before it returns a message, and its consumer gets no other. */
  @ParameterizedTest
  @ValueSource(strings = {"true", "perhaps"})
  void aClaimOfCompressionStopsNoConsumer(String claim) throws Exception {
    for (int i = 0; i < 2 * CONSUMERS; i++) {
      portal.send(
          "claim",
          context -> {
            Message message = bytes(context, new byte[] {1, 2, 3});
            try {
              message.setObjectProperty(COMPRESSED, claim.equals("true") ? (Object) true : claim);
            } catch (JMSException e) {
              throw new AssertionError(e);
            }
            return message;
          });
    }
    for (int i = 0; i < 2 * CONSUMERS; i++) {
      assertThat(deadLetter().getStringProperty("KeywellReason"))
          .isEqualTo(claim.equals("true") ? "malformed" : "malformed-json");
      assertThat(answer(portal).type()).isEqualTo("Problem");
    }
  }

  @Test
  void aRequestThatItsSenderCompressedIsSigned() throws Exception {
    try (JmsClient compressing =
        JmsClient.artemis(
            broker.port(),
            ArtemisBroker.PORTAL,
            ArtemisBroker.password(ArtemisBroker.PORTAL),
            "compressLargeMessages=true&minLargeMessageSize=1000")) {
      String much = " ".repeat(20_000);
      compressing.send("text", body(UUID.randomUUID()).json() + much);
      answer(compressing).verify(VERIFIED_BY, DOCUMENT);
      compressing.send("bytes", context -> bytes(context, body(UUID.randomUUID()).json() + much));
      answer(compressing).verify(VERIFIED_BY, DOCUMENT);
    }
  }

  /** The signature is on record; who sent the request may ask again with its id. */
  @Test
  void anAnswerThatNobodyCanGetEndsTheMessage() throws Exception {
    UUID id = UUID.randomUUID();
    portal.send("gone", c -> c.createTextMessage(body(id).json()), UUID.randomUUID().toString());

    assertThat(deadLetter().getStringProperty("KeywellReason")).isEqualTo("reply-failed");
    assertThat(rowsOf(id)).isOne();
    portal.send("again", body(id).json());
    answer(portal).verify(VERIFIED_BY, DOCUMENT);
    assertThat(rowsOf(id)).isOne();
  }

  @Test
  void healthKnowsTheBroker() throws Exception {
    Await.until(
        "requests are taken",
        () ->
            keywell
                .management()
                .get("/actuator/health")
                .body()
                .at("/components/jms/status")
                .asString("")
                .equals("UP"));
    assertThat(List.of(CONSUMERS))
        .contains(
            keywell
                .management()
                .get("/actuator/health")
                .body()
                .at("/components/jms/details/consumers")
                .asInt());
  }
}
