package org.keywell.jms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import jakarta.jms.Message;
import jakarta.jms.TextMessage;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.keywell.signing.caller.Caller;
import org.keywell.signing.caller.CallerLimits;
import org.keywell.signing.caller.Role;

final class MessageReaderTest {

  private static final int LIMIT = 1_000;
  private static final Map<String, Caller> CALLERS =
      Map.of(
          "portal-user",
          Samples.PORTAL,
          "watcher",
          Samples.caller("portal", CallerLimits.NONE, Role.OBSERVE));

  private final MessageReader reader =
      new MessageReader(
          new ConnectionSenders(user -> Optional.ofNullable(CALLERS.get(user))),
          new AllowedCallers(Set.of()),
          new ReplyRule("keywell.replies."),
          new BodyReader(LIMIT, Samples.JSON));
  private final UUID id = UUID.randomUUID();
  private final StubMessage message = StubMessage.of("portal-user");

  @Test
  void aRequestIsItsSendersAndIsAnsweredByItsMessageId() throws Exception {
    Incoming.Request request = (Incoming.Request) read(message.text(Samples.body(id)));

    assertThat(request.caller()).isEqualTo(Samples.PORTAL);
    assertThat(request.body().id()).isEqualTo(id.toString());
    assertThat(request.reply()).isEqualTo(new Reply("keywell.replies.portal", "ID:1", 4, null));
  }

  @Test
  void aCorrelationIdOfItsOwnComesBack() throws Exception {
    message.with("getJMSCorrelationID", "mine").with("getJMSPriority", 9);
    Incoming.Request request = (Incoming.Request) read(message.bytes(Samples.body(id)));

    assertThat(request.reply()).isEqualTo(new Reply("keywell.replies.portal", "mine", 9, null));
  }

  @Test
  void withoutAKnownSenderNothingElseIsRead() throws Exception {
    Message anonymous =
        new StubMessage().with("propertyExists", false).with("getStringProperty", null).map();
    assertPoison(read(anonymous), Fault.CALLER_UNKNOWN, false);
    Message unknown =
        new StubMessage().with("propertyExists", false).with("getStringProperty", "mallory").map();
    assertPoison(read(unknown), Fault.CALLER_UNKNOWN, false);
  }

  /** The broker leaves what its sender wrote where it states senders of other protocols. */
  @Test
  void overAmqpNobodyIsACaller() throws Exception {
    Message forged = StubMessage.of("portal-user").with("propertyExists", true).map();

    assertPoison(read(forged), Fault.CALLER_UNKNOWN, false);
  }

  @Test
  void withoutAnOwnReplyAddressTheBodyIsNotRead() throws Exception {
    assertPoison(read(message.replyTo(null).map()), Fault.REPLY_MISSING, false);
    assertPoison(read(message.replyTo("DLQ").map()), Fault.REPLY_NOT_ALLOWED, false);
  }

  @Test
  void aCallerNeedsTheRole() throws Exception {
    Message request = StubMessage.of("watcher").text(Samples.body(id));

    assertThat(read(request))
        .asInstanceOf(type(Incoming.Refused.class))
        .satisfies(refused -> assertThat(refused.answer().json()).contains("role-missing"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ", "{", "{}{}", "[]", "null", "signed CMS"})
  void whatIsNoRequestIsPoison(String body) throws Exception {
    assertPoison(read(message.text(body)), Fault.MALFORMED_JSON, true);
  }

  @Test
  void nothingIsPoison() throws Exception {
    assertPoison(read(message.text(null)), Fault.MALFORMED_JSON, true);
    assertPoison(read(message.map()), Fault.WRONG_TYPE, true);
  }

  @Test
  void whatIsTooLargeIsPoisonWhateverItsForm() throws Exception {
    String fits = Samples.body(id) + " ".repeat(LIMIT - Samples.body(id).length());
    assertThat(read(message.text(fits))).isInstanceOf(Incoming.Request.class);
    assertThat(read(message.bytes(fits))).isInstanceOf(Incoming.Request.class);
    assertPoison(read(message.text(fits + " ")), Fault.BODY_TOO_LARGE, true);
    assertPoison(read(message.bytes(fits + " ")), Fault.BODY_TOO_LARGE, true);
    assertPoison(read(message.text("å".repeat(LIMIT / 2 + 1))), Fault.BODY_TOO_LARGE, true);
  }

  /** The broker may deliver a message twice. */
  @Test
  void aRequestNeedsAnId() throws Exception {
    String without = Samples.body(id).replace("\"requestId\":\"" + id + "\",", "");

    assertThat(read(message.text(without)))
        .asInstanceOf(type(Incoming.Refused.class))
        .satisfies(refused ->
            assertThat(refused.answer().json())
                .contains("urn:keywell:problem:missing-field", "requestId"));
  }

  @Test
  void anUnknownFieldIsRefusedAsOverHttp() throws Exception {
    assertThat(read(message.text("{\"amount\":1}")))
        .asInstanceOf(type(Incoming.Refused.class))
        .satisfies(refused ->
            assertThat(refused.answer().json())
                .contains("urn:keywell:problem:unknown-field", "'amount' is not a known field"));
  }

  /** What is too large to be fetched is its sender's, who is told. */
  @Test
  void aBodyThatMustNotBeReadIsNot() throws Exception {
    Delivery.Unread unread = new Delivery.Unread(Fault.BODY_TOO_LARGE, "300000000 bytes", false);
    Message textWithoutAnswer = message.as(TextMessage.class);

    Incoming read = reader.read(new Delivery(textWithoutAnswer, unread));

    assertPoison(read, Fault.BODY_TOO_LARGE, true);
    assertThat(((Incoming.Poison) read).sender()).isEqualTo("portal-user");
    assertPoison(
        reader.read(new Delivery(StubMessage.of("mallory").as(TextMessage.class), unread)),
        Fault.CALLER_UNKNOWN,
        false);
  }

  private Incoming read(Message message) throws Exception {
    return reader.read(new Delivery(message, null));
  }

  private static void assertPoison(Incoming read, Fault fault, boolean told) {
    assertThat(read)
        .asInstanceOf(type(Incoming.Poison.class))
        .satisfies(poison -> {
          assertThat(poison.fault()).isEqualTo(fault);
          assertThat(poison.reply() != null).isEqualTo(told);
        });
  }
}
