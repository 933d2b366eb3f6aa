package org.keywell.jms;

import jakarta.jms.BytesMessage;
import jakarta.jms.Destination;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.TextMessage;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.keywell.signing.caller.Caller;

/**
 * Reads messages that the broker alone protects: finds out who sent a message, where its answer may
 * go, and what it asks for, in this order.
 */
final class MessageReader implements RequestReader {

  private final ConnectionSenders senders;
  private final AllowedCallers allowed;
  private final ReplyRule replies;
  private final BodyReader bodies;

  MessageReader(
      ConnectionSenders senders, AllowedCallers allowed, ReplyRule replies, BodyReader bodies) {
    this.senders = senders;
    this.allowed = allowed;
    this.replies = replies;
    this.bodies = bodies;
  }

  @Override
  public Incoming read(Delivery delivery) throws JMSException {
    return switch (allowed.only(senders.of(delivery.message()))) {
      case Sender.None none -> none.instead();
      case Sender.Known sender -> read(delivery, sender.name(), sender.caller());
    };
  }

  private Incoming read(Delivery delivery, String sender, Caller caller) throws JMSException {
    Message message = delivery.message();
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
    Reply reply = new Reply(queue.get(), correlationId(message), message.getJMSPriority(), null);
    Incoming.@Nullable Refused refused = BodyReader.refusal(caller, reply);
    if (refused == null && delivery.unread() != null) {
      return new Incoming.Poison(
          delivery.unread().fault(), sender, delivery.unread().detail(), reply);
    }
    return refused == null ? read(message, sender, caller, reply) : refused;
  }

  private static String correlationId(Message message) throws JMSException {
    @Nullable String own = message.getJMSCorrelationID();
    return own == null ? String.valueOf(message.getJMSMessageID()) : own;
  }

  private Incoming read(Message message, String sender, Caller caller, Reply reply)
      throws JMSException {
    if (message instanceof BytesMessage bytes && bytes.getBodyLength() > bodies.maxBytes()) {
      return bodies.tooLarge(sender, reply);
    }
    return switch (message) {
      case TextMessage text -> bodies.read(text.getText(), sender, caller, reply);
      case BytesMessage bytes -> bodies.read(text(bytes), sender, caller, reply);
      default ->
          new Incoming.Poison(
              Fault.WRONG_TYPE, sender, "the message has neither text nor bytes", reply);
    };
  }

  private static String text(BytesMessage message) throws JMSException {
    byte[] body = new byte[(int) message.getBodyLength()];
    int _ = message.readBytes(body);
    return new String(body, StandardCharsets.UTF_8);
  }
}
