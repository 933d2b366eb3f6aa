package org.keywell.acceptance.running;

import jakarta.jms.ConnectionFactory;
import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.TextMessage;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
import org.apache.activemq.artemis.jms.client.ActiveMQConnectionFactory;
import org.apache.activemq.artemis.jms.client.ActiveMQQueue;
import org.apache.qpid.jms.JmsConnectionFactory;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A sender of requests over a broker, with a queue for its answers. */
public final class JmsClient implements AutoCloseable {

  private static final JsonMapper JSON = JsonMapper.shared();

  private final JMSContext context;
  private final String replies;
  private final Map<String, JMSConsumer> consumers = new HashMap<>();

  /** Its contexts make no queue that the broker does not have. */
  private final boolean isArtemis;

  private JmsClient(JMSContext context, String replies, boolean isArtemis) {
    this.context = context;
    this.replies = replies;
    this.isArtemis = isArtemis;
  }

  /** Connects with the broker's own client. */
  public static JmsClient artemis(int port, String user) {
    return artemis(port, user, ArtemisBroker.password(user));
  }

  /** Connects with the broker's own client. */
  public static JmsClient artemis(int port, String user, String password) {
    return artemis(port, user, password, "");
  }

  /**
   * Connects with the broker's own client.
   *
   * @param parameters further ones of its address
   */
  public static JmsClient artemis(int port, String user, String password, String parameters) {
    return open(
        new ActiveMQConnectionFactory(
            "tcp://127.0.0.1:" + port + "?consumerWindowSize=0&useEpoll=false&" + parameters),
        user,
        password);
  }

  /** Connects over AMQP 1.0, with a client that knows nothing of the broker's. */
  public static JmsClient amqp(int port, String user) {
    return open(
        new JmsConnectionFactory("amqp://127.0.0.1:" + port), user, ArtemisBroker.password(user));
  }

  private static JmsClient open(ConnectionFactory factory, String user, String password) {
    return new JmsClient(
        factory.createContext(user, password, JMSContext.AUTO_ACKNOWLEDGE),
        ArtemisBroker.REPLIES + user,
        factory instanceof ActiveMQConnectionFactory);
  }

  /** An answer as its receiver sees it. */
  public record Answer(String type, String correlationId, JsonNode body, String text) {

    static Answer of(Message message) throws JMSException {
      String text = ((TextMessage) message).getText();
      return new Answer(
          message.getJMSType(), message.getJMSCorrelationID(), JSON.readTree(text), text);
    }

    /** The last part of a problem's type. */
    public String problem() {
      return body.path("type").asString("").replace("urn:keywell:problem:", "");
    }

    /** The signature over the document and the chain, by its receiver's own means. */
    public void verify(String algorithm, String document) throws GeneralSecurityException {
      SignedAnswer.of(new HttpApi.Answer(200, body, "", "", ""))
          .verify(algorithm, document.getBytes(StandardCharsets.UTF_8));
    }
  }

  public JMSContext context() {
    return context;
  }

  /** Sends a text as a request; its answer goes to the sender's queue. */
  public void send(String correlationId, String body) throws JMSException {
    send(correlationId, context -> context.createTextMessage(body));
  }

  public void send(String correlationId, Function<JMSContext, Message> made) throws JMSException {
    send(correlationId, made, replies);
  }

  /**
   * Sends a message.
   *
   * @param replyTo null: none
   */
  public void send(
      String correlationId, Function<JMSContext, Message> made, @Nullable String replyTo)
      throws JMSException {
    Message message = made.apply(context);
    message.setJMSCorrelationID(correlationId);
    if (replyTo != null) {
      message.setJMSReplyTo(isArtemis ? new ActiveMQQueue(replyTo) : context.createQueue(replyTo));
    }
    context.createProducer().send(context.createQueue(ArtemisBroker.REQUESTS), message);
  }

  /** Sends a message of bytes to a queue, and nothing beside them. */
  public void send(String queue, byte[] body) {
    context.createProducer().send(context.createQueue(queue), body);
  }

  /** Waits for the next answer; null if there is none in time. */
  public @Nullable Answer next(long millis) throws JMSException {
    Message message = nextOf(replies, millis);
    return message == null ? null : Answer.of(message);
  }

  /** Waits for the next message in a queue; null if there is none in time. */
  public @Nullable Message nextOf(String queue, long millis) {
    return consumers
        .computeIfAbsent(queue, name -> context.createConsumer(context.createQueue(name)))
        .receive(millis);
  }

  @Override
  public void close() {
    context.close();
  }
}
