package org.keywell.jms;

import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import java.time.Duration;
import org.apache.activemq.artemis.api.core.ActiveMQException;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.api.core.client.ClientConsumer;
import org.apache.activemq.artemis.api.core.client.ClientMessage;
import org.apache.activemq.artemis.jms.client.ActiveMQJMSContext;
import org.apache.activemq.artemis.jms.client.ActiveMQSession;
import org.apache.activemq.artemis.utils.SelectorTranslator;
import org.jspecify.annotations.Nullable;

/**
 * Takes messages from a queue in a context's transaction, by the client's core: what a consumer of
 * its JMS layer returns is in memory already, however large. Used by one thread.
 */
final class Deliveries implements AutoCloseable {

  /** A message, and the attempt at it that has begun. */
  record Taken(Delivery delivery, Attempts.Attempt attempt) {}

  /** Thrown for a message that has to go back now. */
  static final class NotNowException extends Exception {
    private static final long serialVersionUID = 1L;
  }

  private final ClientConsumer consumer;
  private final String queue;
  private final int maxBytes;
  private final Attempts attempts;

  /**
   * @param maxBytes of a body, compressed and not
   */
  Deliveries(JMSContext context, String queue, String selector, int maxBytes, Attempts attempts)
      throws BrokerException {
    this.queue = queue;
    this.maxBytes = maxBytes;
    this.attempts = attempts;
    // A context has no session before the first call that needs one.
    boolean _ = context.getTransacted();
    try {
      ActiveMQSession session = (ActiveMQSession) ((ActiveMQJMSContext) context).getUsedSession();
      this.consumer =
          session
              .getCoreSession()
              .createConsumer(
                  SimpleString.of(queue),
                  SimpleString.of(SelectorTranslator.convertToActiveMQFilterString(selector)));
      context.start();
    } catch (ActiveMQException e) {
      throw new BrokerException(String.valueOf(e.getMessage()), e);
    }
  }

  /**
   * Waits for a message.
   *
   * @return null if there is none in time. After one whose body is not here, nothing else comes:
   *     open another consumer
   * @throws NotNowException if it is to be rolled back; nothing else comes after it either
   */
  @Nullable Taken next(Duration limit) throws BrokerException, JMSException, NotNowException {
    try {
      @Nullable ClientMessage message = consumer.receive(limit.toMillis());
      if (message == null) {
        return null;
      }
      message.acknowledge();
      Attempts.Attempt attempt = attempts.begin(queue, message).orElseThrow(NotNowException::new);
      return new Taken(open(message, attempt), attempt);
    } catch (ActiveMQException e) {
      throw new BrokerException(String.valueOf(e.getMessage()), e);
    }
  }

  private Delivery open(ClientMessage message, Attempts.Attempt attempt)
      throws ActiveMQException, JMSException {
    boolean opened = false;
    try {
      Delivery delivery =
          attempt.isOneTooMany() ? Delivery.setAside(message) : Delivery.of(message, maxBytes);
      opened = true;
      return delivery;
    } catch (ActiveMQException | JMSException | RuntimeException e) {
      attempt.end();
      throw e;
    } finally {
      if (!opened) {
        attempt.close();
      }
    }
  }

  @Override
  public void close() throws BrokerException {
    try {
      consumer.close();
    } catch (ActiveMQException e) {
      throw new BrokerException(String.valueOf(e.getMessage()), e);
    }
  }
}
