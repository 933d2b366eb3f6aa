package org.keywell.jms;

import jakarta.jms.BytesMessage;
import jakarta.jms.Destination;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.TextMessage;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.keywell.json.SignRequestBody;
import org.keywell.json.UnreadableJson;
import org.keywell.signing.caller.Caller;
import org.keywell.signing.caller.Role;
import org.keywell.signing.request.Refusal;
import org.keywell.signing.request.Refusal.Reason;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/**
 * Finds out who sent a message, where its answer may go, and what it asks for, in this order.
 * Believes of a message only what the broker has written into it. Thread-safe.
 */
final class MessageReader {

  /** The property by which the broker states the sender, whatever the sender wrote there. */
  static final String SENDER = "JMSXUserID";

  /**
   * Marks a message that came over AMQP. Of those the broker states no sender, whatever its
   * settings: the property above has what the sender wrote into it. The few forms of body that are
   * not marked are no JSON.
   */
  private static final String CAME_OVER_AMQP = "JMS_AMQP_ORIGINAL_ENCODING";

  private final Function<String, Optional<Caller>> callers;
  private final ReplyRule replies;
  private final int maxBodyBytes;
  private final JsonMapper mapper;

  /**
   * @param callers finds the caller that sends as a user of the broker
   * @param maxBodyBytes of JSON
   * @param mapper as for HTTP
   */
  MessageReader(
      Function<String, Optional<Caller>> callers,
      ReplyRule replies,
      int maxBodyBytes,
      JsonMapper mapper) {
    this.callers = callers;
    this.replies = replies;
    this.maxBodyBytes = maxBodyBytes;
    this.mapper = mapper;
  }

  Incoming read(Message message) throws JMSException {
    if (message.propertyExists(CAME_OVER_AMQP)) {
      return new Incoming.Poison(
          Fault.CALLER_UNKNOWN,
          null,
          "it came over AMQP, and the broker does not state who sent it",
          null);
    }
    @Nullable String sender = message.getStringProperty(SENDER);
    @Nullable Caller caller = sender == null ? null : callers.apply(sender).orElse(null);
    if (caller == null) {
      return new Incoming.Poison(
          Fault.CALLER_UNKNOWN,
          sender,
          sender == null
              ? "the broker does not state who sent it"
              : "its sender is no broker-user in keywell.security.callers-file",
          null);
    }
    @Nullable Destination named = message.getJMSReplyTo();
    if (named == null) {
      return new Incoming.Poison(Fault.REPLY_MISSING, sender, "JMSReplyTo is missing", null);
    }
    Optional<String> queue = replies.allowed(named, caller);
    if (queue.isEmpty()) {
      return new Incoming.Poison(
          Fault.REPLY_NOT_ALLOWED,
          sender,
          "JMSReplyTo is neither temporary nor keywell.jms.reply-prefix and the caller's name",
          null);
    }
    Reply reply = new Reply(queue.get(), correlationId(message), message.getJMSPriority());
    if (!caller.has(Role.SIGN)) {
      return new Incoming.Refused(
          Answer.problem("role-missing", "the caller does not have the role sign", null), reply);
    }
    return read(message, sender, caller, reply);
  }

  private static String correlationId(Message message) throws JMSException {
    @Nullable String own = message.getJMSCorrelationID();
    return own == null ? String.valueOf(message.getJMSMessageID()) : own;
  }

  private Incoming read(Message message, String sender, Caller caller, Reply reply)
      throws JMSException {
    if (message instanceof BytesMessage bytes && bytes.getBodyLength() > maxBodyBytes) {
      return tooLarge(sender, reply);
    }
    return switch (message) {
      case TextMessage text -> bounded(text.getText(), sender, caller, reply);
      case BytesMessage bytes -> bounded(text(bytes), sender, caller, reply);
      default ->
          new Incoming.Poison(
              Fault.WRONG_TYPE, sender, "the message has neither text nor bytes", reply);
    };
  }

  private Incoming bounded(@Nullable String body, String sender, Caller caller, Reply reply) {
    boolean isTooLarge =
        body != null
            && (body.length() > maxBodyBytes
                || body.getBytes(StandardCharsets.UTF_8).length > maxBodyBytes);
    return isTooLarge ? tooLarge(sender, reply) : parse(body, sender, caller, reply);
  }

  private Incoming tooLarge(String sender, Reply reply) {
    return new Incoming.Poison(
        Fault.BODY_TOO_LARGE,
        sender,
        "the body is larger than keywell.sign.max-body: %d bytes".formatted(maxBodyBytes),
        reply);
  }

  private static String text(BytesMessage message) throws JMSException {
    byte[] body = new byte[(int) message.getBodyLength()];
    int _ = message.readBytes(body);
    return new String(body, StandardCharsets.UTF_8);
  }

  private Incoming parse(@Nullable String json, String sender, Caller caller, Reply reply) {
    Refusal refusal;
    try {
      SignRequestBody body = json == null ? null : mapper.readValue(json, SignRequestBody.class);
      if (body != null && body.requestId() == null) {
        // The broker may deliver a message twice; without an id, it would be signed twice.
        refusal = new Refusal(Reason.MISSING_FIELD, "requestId is required over a broker");
      } else if (body != null) {
        return new Incoming.Request(caller, body, reply);
      } else {
        refusal = UnreadableJson.refusal(null);
      }
    } catch (JacksonException e) {
      refusal = UnreadableJson.refusal(e);
    }
    return refusal.reason() == Reason.MALFORMED_JSON
        ? new Incoming.Poison(Fault.MALFORMED_JSON, sender, refusal.detail(), reply)
        : new Incoming.Refused(Answer.of(refusal), reply);
  }
}
