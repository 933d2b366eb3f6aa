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

  private final ClientConsumer consumer;
  private final int maxBytes;

  /**
   * @param maxBytes of a body, compressed and not
   */
  Deliveries(JMSContext context, String queue, String selector, int maxBytes)
      throws BrokerException {
    this.maxBytes = maxBytes;
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
   */
  @Nullable Delivery next(Duration limit) throws BrokerException, JMSException {
    try {
      @Nullable ClientMessage message = consumer.receive(limit.toMillis());
      if (message == null) {
        return null;
      }
      message.acknowledge();
      return Delivery.of(message, maxBytes);
    } catch (ActiveMQException e) {
      throw new BrokerException(String.valueOf(e.getMessage()), e);
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
