package org.keywell.jms;

import jakarta.jms.BytesMessage;
import jakarta.jms.DeliveryMode;
import jakarta.jms.InvalidDestinationRuntimeException;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.JMSRuntimeException;
import jakarta.jms.JMSSecurityRuntimeException;
import jakarta.jms.Message;
import jakarta.jms.ResourceAllocationRuntimeException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One message from its receipt to the end of its transaction: that it was taken, and what was sent
 * because of it, count together or not at all. If they do not, the broker delivers the message
 * again, and its request id finds the first answer. Thread-safe; a session is its consumer's own.
 */
final class MessageFlow {

  private static final Logger log = LoggerFactory.getLogger(MessageFlow.class);

  /** Properties of a message in the dead-letter queue. */
  static final String REASON = "KeywellReason";

  static final String DETAIL = "KeywellDetail";
  static final String SENDER = "KeywellSender";

  /** Deliveries of a message after which a defect counts as the message's. */
  private static final int MOST_DELIVERIES = 5;

  private static final int REMEMBERED = 1_000;

  private static final Duration PAUSE = Duration.ofSeconds(1);

  private final RequestReader reader;
  private final SigningCall signing;
  private final String deadLetterQueue;
  private final Duration answerTimeToLive;
  private final InstantSource clock;
  private final DeadLetterNotes notes;
  private final MessageListener listener;

  /**
   * Why nobody can get a message's answer, by the broker's number of the message: known when it
   * comes again.
   */
  private final Map<String, String> unanswerable =
      Collections.synchronizedMap(
          new LinkedHashMap<>() {
            private static final long serialVersionUID = 1L;

            @Override
            protected boolean removeEldestEntry(Map.Entry<String, String> eldest) {
              return size() > REMEMBERED;
            }
          });

  MessageFlow(
      RequestReader reader,
      SigningCall signing,
      String deadLetterQueue,
      Duration answerTimeToLive,
      InstantSource clock,
      DeadLetterNotes notes,
      MessageListener listener) {
    this.reader = reader;
    this.signing = signing;
    this.deadLetterQueue = deadLetterQueue;
    this.answerTimeToLive = answerTimeToLive;
    this.clock = clock;
    this.notes = notes;
    this.listener = listener;
  }

  /**
   * Works on a message, and ends the transaction.
   *
   * @param over run before the transaction ends, in whatever way; not after an error of the JVM's
   * @param waiting pauses; and ends when the service stops
   * @throws JMSRuntimeException if the session can no longer be used
   */
  void handle(JMSContext session, Delivery delivery, Runnable over, Waiting waiting)
      throws JMSException, InterruptedException {
    try {
      work(session, delivery, over, waiting);
    } catch (JMSException | InterruptedException | RuntimeException e) {
      over.run();
      throw e;
    }
  }

  /** Gives a message back that cannot be worked on now, and pauses. */
  void giveBack(JMSContext session, Waiting waiting) throws InterruptedException {
    session.rollback();
    listener.returned();
    boolean _ = waiting.pause(PAUSE);
  }

  private void work(JMSContext session, Delivery delivery, Runnable over, Waiting waiting)
      throws JMSException, InterruptedException {
    try {
      settle(session, delivery, read(delivery), over, waiting);
    } catch (JMSRuntimeException e) {
      throw e;
    } catch (JMSException | RuntimeException e) {
      log.error("a message could not be worked on", e);
      if (delivery.message().getIntProperty("JMSXDeliveryCount") < MOST_DELIVERIES) {
        over.run();
        session.rollback();
        boolean _ = waiting.pause(PAUSE);
        return;
      }
      settle(
          session,
          delivery,
          new Incoming.Poison(Fault.INTERNAL, null, "see the service's log", null),
          over,
          waiting);
    }
  }

  private Incoming read(Delivery delivery) throws JMSException {
    @Nullable String unsent = unanswerable.remove(Broker.numberOf(delivery.message()));
    return unsent != null
        ? new Incoming.Poison(
            Fault.REPLY_FAILED,
            ConnectionSenders.nameIn(delivery.message()),
            "the answer could not be sent to %s; it is on record".formatted(unsent),
            null)
        : reader.read(delivery);
  }

  private void settle(
      JMSContext session, Delivery delivery, Incoming incoming, Runnable over, Waiting waiting)
      throws JMSException, InterruptedException {
    Message message = delivery.message();
    @Nullable Reply reply;
    @Nullable Answer answer;
    switch (incoming) {
      case Incoming.Request request -> {
        long expires = message.getJMSExpiration();
        Verdict verdict =
            signing.sign(
                request.body(),
                request.caller(),
                pause -> !isPast(expires) && waiting.pause(pause));
        if (!(verdict instanceof Verdict.Answered answered)) {
          // The broker expires it, or delivers it again.
          over.run();
          session.rollback();
          listener.returned();
          return;
        }
        reply = request.reply();
        answer = answered.answer();
      }
      case Incoming.Refused refused -> {
        reply = refused.reply();
        answer = refused.answer();
      }
      case Incoming.Unknowable _ -> {
        over.run();
        giveBack(session, waiting);
        return;
      }
      case Incoming.Poison poison -> {
        bury(session, delivery, poison);
        reply = poison.reply();
        answer = reply == null ? null : Answer.problem(poison.fault().label(), poison.detail());
      }
    }
    @Nullable String failure =
        reply == null || answer == null ? null : failureToSend(session, reply, answer);
    over.run();
    if (failure != null) {
      unanswerable.put(Broker.numberOf(message), failure);
      session.rollback();
      return;
    }
    session.commit();
    if (incoming instanceof Incoming.Poison poison) {
      listener.moved(poison.fault().label());
    } else if (answer != null) {
      listener.answered(answer.result());
    }
  }

  private boolean isPast(long expires) {
    return expires != 0 && clock.millis() >= expires;
  }

  /** Sends the answer; returns the queue that does not take it, and why; null if it does. */
  private @Nullable String failureToSend(JMSContext session, Reply reply, Answer answer)
      throws JMSException {
    try {
      Message message = message(session, reply, answer);
      message.setJMSType(answer.type());
      message.setJMSCorrelationID(reply.correlationId());
      session
          .createProducer()
          .setDeliveryMode(DeliveryMode.PERSISTENT)
          .setPriority(reply.priority())
          .setTimeToLive(answerTimeToLive.toMillis())
          .send(Broker.queue(reply.queue()), message);
      return null;
    } catch (InvalidDestinationRuntimeException
        | JMSSecurityRuntimeException
        | ResourceAllocationRuntimeException e) {
      return "%s (%s)".formatted(reply.queue(), e.getMessage());
    }
  }

  private Message message(JMSContext session, Reply reply, Answer answer) throws JMSException {
    if (reply.envelope() == null) {
      return session.createTextMessage(answer.json());
    }
    BytesMessage message = session.createBytesMessage();
    message.writeBytes(reply.envelope().seal(answer, reply.queue(), clock.instant()));
    return message;
  }

  /** Moves a message to the dead-letter queue with the reason; with its body, if that is here. */
  private void bury(JMSContext session, Delivery delivery, Incoming.Poison poison)
      throws JMSException {
    int priority = delivery.message().getJMSPriority();
    Message message =
        delivery.unread() == null || delivery.unread().isHere()
            ? delivery.message()
            : session.createMessage();
    // What it had could pass for what is written here.
    message.clearProperties();
    message.setStringProperty(REASON, poison.fault().label());
    message.setStringProperty(DETAIL, poison.detail());
    if (poison.sender() != null) {
      message.setStringProperty(SENDER, poison.sender());
    }
    session
        .createProducer()
        .setDeliveryMode(DeliveryMode.PERSISTENT)
        .setPriority(priority)
        .send(Broker.queue(deadLetterQueue), message);
    notes.moved(poison);
  }
}
