package org.keywell.loadgen.messages;

import jakarta.jms.BytesMessage;
import jakarta.jms.DeliveryMode;
import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.JMSProducer;
import jakarta.jms.Message;
import jakarta.jms.Queue;
import java.io.IOException;
import java.time.Instant;
import java.util.Arrays;
import java.util.Random;
import org.keywell.protection.Header;

/**
 * A place where requests are sent and answered or received and answered. One thread uses it.
 *
 * @param queue where messages come in
 */
record Desk(
    JMSContext context, JMSProducer producer, JMSConsumer consumer, Queue queue, Side side) {
  private static final int BODY_BYTES = 2_048;
  private static final long ANSWER_MILLIS = 20_000;
  private static final long LOOK_MILLIS = 200;

  /** What is done over and over. */
  interface Work {
    void once() throws IOException, JMSException;
  }

  static Desk of(JMSContext context, boolean persistent, String name, Side side) {
    Queue queue = context.createQueue(name);
    JMSProducer producer =
        context
            .createProducer()
            .setDeliveryMode(persistent ? DeliveryMode.PERSISTENT : DeliveryMode.NON_PERSISTENT);
    return new Desk(context, producer, context.createConsumer(queue), queue, side);
  }

  /** Returns work that sends a request and waits for its answer, which must have the same body. */
  Work requests(String to) throws JMSException {
    String name = queue.getQueueName();
    Queue requests = context.createQueue(to);
    byte[] body = new byte[BODY_BYTES];
    Random random = new Random(name.hashCode());
    return () -> {
      random.nextBytes(body);
      String id = name + "-" + random.nextLong();
      send(requests, id, new Header(id, Instant.now(), to, name, null), body);
      Message answer = consumer.receive(ANSWER_MILLIS);
      if (answer == null) {
        throw new IOException("no answer within %d s".formatted(ANSWER_MILLIS / 1_000));
      }
      byte[] echo = side.open(answer.getBody(byte[].class), name, id);
      if (!id.equals(answer.getJMSCorrelationID()) || !Arrays.equals(echo, body)) {
        throw new IOException("an answer was not that to its request");
      }
    };
  }

  /** Returns work that answers a request, if there is one, with its own body in one transaction. */
  Work answers() throws JMSException {
    String name = queue.getQueueName();
    return () -> {
      Message request = consumer.receive(LOOK_MILLIS);
      if (request != null) {
        String id = request.getJMSCorrelationID();
        Queue to = (Queue) request.getJMSReplyTo();
        Header header = new Header("to-" + id, Instant.now(), to.getQueueName(), null, id);
        send(to, id, header, side.open(request.getBody(byte[].class), name, null));
        context.commit();
      }
    };
  }

  private void send(Queue to, String id, Header header, byte[] body) throws JMSException {
    BytesMessage message = context.createBytesMessage();
    message.writeBytes(side.seal(header, body));
    message.setJMSCorrelationID(id);
    message.setJMSReplyTo(queue);
    producer.send(to, message);
  }
}
