package org.keywell.jms;

import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.TemporaryQueue;
import java.time.Duration;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Proves, before a message is taken, that the broker writes the sender's name into messages and
 * leaves no sender its own claim: a message with a false claim is sent and read back. A setting
 * alone could be wrong, and anyone could then be any caller.
 */
final class SenderProof {

  private static final Duration LIMIT = Duration.ofSeconds(10);

  private SenderProof() {}

  /**
   * @param context transacted; nothing is left uncommitted in it
   * @throws BrokerException if the broker believes the claim, or names nobody
   */
  static void require(JMSContext context) throws BrokerException, JMSException {
    String claim = "claimed-" + UUID.randomUUID();
    TemporaryQueue queue = context.createTemporaryQueue();
    try {
      Message message = context.createMessage();
      message.setStringProperty(ConnectionSenders.SENDER, claim);
      context.createProducer().setTimeToLive(LIMIT.toMillis()).send(queue, message);
      context.commit();
      @Nullable String stated;
      try (JMSConsumer consumer = context.createConsumer(queue)) {
        @Nullable Message back = consumer.receive(LIMIT.toMillis());
        context.commit();
        stated = back == null ? null : back.getStringProperty(ConnectionSenders.SENDER);
      }
      if (stated == null) {
        throw new BrokerException(
            "the broker does not state who sent a message; its populate-validated-user must be on");
      }
      if (stated.equals(claim)) {
        throw new BrokerException(
            "the broker lets a sender state another's name; its security and"
                + " populate-validated-user must be on");
      }
    } finally {
      queue.delete();
    }
  }
}
