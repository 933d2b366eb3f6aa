package org.keywell.jms;

import jakarta.jms.JMSException;
import jakarta.jms.Message;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.keywell.protection.Header;
import org.keywell.protection.Opened;
import org.keywell.signing.database.DatabaseException;

/**
 * Reads messages that their senders protect. Who sent one, whom it is for, where its answer goes
 * and how old it is stand in what is protected; nothing that a broker can change counts. A copy of
 * a message is refused; what is refused gets no answer before all of this is in order.
 */
final class ProtectedReader implements RequestReader {

  private final MessageOpener opener;
  private final @Nullable SignedSenders signed;
  private final ConnectionSenders connections;
  private final AllowedCallers allowed;
  private final HeaderRule rule;
  private final ReplyRule replies;
  private final AnswerProtection answers;
  private final SeenRequests seen;
  private final Function<Message, String> numbers;
  private final BodyReader bodies;

  /**
   * @param signed null: messages have no signature, and the connection says who sends
   * @param numbers returns the broker's number of a message
   */
  ProtectedReader(
      MessageOpener opener,
      @Nullable SignedSenders signed,
      ConnectionSenders connections,
      AllowedCallers allowed,
      HeaderRule rule,
      ReplyRule replies,
      AnswerProtection answers,
      SeenRequests seen,
      Function<Message, String> numbers,
      BodyReader bodies) {
    this.opener = opener;
    this.signed = signed;
    this.connections = connections;
    this.allowed = allowed;
    this.rule = rule;
    this.replies = replies;
    this.answers = answers;
    this.seen = seen;
    this.numbers = numbers;
    this.bodies = bodies;
  }

  @Override
  public Incoming read(Delivery delivery) throws JMSException {
    Message message = delivery.message();
    Opened opened;
    try {
      opened = opener.open(delivery);
    } catch (MessageOpener.ClosedException e) {
      return e.poison();
    }
    Sender sender = signed == null ? connections.of(message) : signed.of(opened.signer());
    return switch (allowed.only(sender)) {
      case Sender.None none -> none.instead();
      case Sender.Known known -> read(message, opened, known);
    };
  }

  private Incoming read(Message message, Opened opened, Sender.Known sender) throws JMSException {
    Header header = opened.content().header();
    Incoming.@Nullable Poison wrong = rule.poison(header, sender.name());
    if (wrong != null) {
      return wrong;
    }
    String replyTo = header.replyTo();
    if (replyTo == null) {
      return poison(Fault.REPLY_MISSING, sender, "its protected Reply-To is missing");
    }
    if (!replies.isAllowed(replyTo, sender.caller())) {
      return poison(
          Fault.REPLY_NOT_ALLOWED,
          sender,
          "its protected Reply-To is neither temporary nor keywell.jms.reply-prefix and the"
              + " caller's name");
    }
    Optional<Reply> reply =
        answers.to(header, replyTo, sender.caller(), opened.signer(), message.getJMSPriority());
    if (reply.isEmpty()) {
      return poison(
          Fault.RECIPIENT_MISSING,
          sender,
          "answers are encrypted; neither the signer's certificate nor one of"
              + " keywell.jms.protection-file is for that now");
    }
    try {
      if (!seen.take(
          sender.caller().name(), header.id(), numbers.apply(message), rule.usableUntil(header))) {
        return poison(Fault.REPLAYED, sender, "its Message-ID was used by another message");
      }
    } catch (DatabaseException e) {
      return new Incoming.Unknowable();
    }
    Incoming.@Nullable Refused refused = BodyReader.refusal(sender.caller(), reply.get());
    return refused == null
        ? bodies.read(
            new String(opened.content().body(), StandardCharsets.UTF_8),
            sender.name(),
            sender.caller(),
            reply.get())
        : refused;
  }

  private static Incoming poison(Fault fault, Sender.Known sender, String detail) {
    return new Incoming.Poison(fault, sender.name(), detail, null);
  }
}
