package org.keywell.jms;

import jakarta.jms.JMSContext;
import jakarta.jms.JMSRuntimeException;
import jakarta.jms.Message;
import jakarta.jms.Queue;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import javax.net.ssl.SSLContext;
import org.apache.activemq.artemis.api.core.TransportConfiguration;
import org.apache.activemq.artemis.core.remoting.impl.netty.NettyConnectorFactory;
import org.apache.activemq.artemis.core.remoting.impl.netty.TransportConstants;
import org.apache.activemq.artemis.jms.client.ActiveMQConnectionFactory;
import org.apache.activemq.artemis.jms.client.ActiveMQMessage;
import org.apache.activemq.artemis.jms.client.ActiveMQQueue;
import org.jspecify.annotations.Nullable;
import org.keywell.settings.JmsProperties;

/**
 * Opens connections to an ActiveMQ Artemis broker. Each is this class's caller's own, and is not
 * reconnected behind its back. Thread-safe.
 */
final class Broker implements AutoCloseable {

  private static final Duration CONNECT_LIMIT = Duration.ofSeconds(5);

  /** Of the broker's answer to one call. */
  private static final Duration CALL_LIMIT = Duration.ofSeconds(10);

  /** After which a silent connection counts as lost; the client sends pings in between. */
  private static final Duration SILENCE_LIMIT = Duration.ofSeconds(20);

  static {
    // Netty's use of it has Java warn on standard error; a few connections do without.
    if (System.getProperty("io.netty.noUnsafe") == null) {
      System.setProperty("io.netty.noUnsafe", "true");
    }
  }

  private final ActiveMQConnectionFactory factory;
  private final String user;
  private final RequestListener.Password password;
  private final List<JmsProperties.Broker> addresses;

  private final String name = UUID.randomUUID().toString();

  /**
   * @param tls asked for each connection; null: no TLS
   */
  Broker(
      List<JmsProperties.Broker> addresses,
      String user,
      RequestListener.Password password,
      @Nullable Supplier<SSLContext> tls) {
    if (tls != null) {
      NamedContexts.put(name, tls);
    }
    this.user = user;
    this.password = password;
    this.addresses = List.copyOf(addresses);
    this.factory =
        new ActiveMQConnectionFactory(
            false,
            addresses.stream()
                .map(address -> transport(address, tls != null))
                .toArray(TransportConfiguration[]::new));
    // The broker keeps what is not worked on: a consumer gets one message, when it asks for it.
    factory.setConsumerWindowSize(0);
    factory.setReconnectAttempts(0);
    factory.setInitialConnectAttempts(1);
    factory.setCallTimeout(CALL_LIMIT.toMillis());
    factory.setConnectionTTL(SILENCE_LIMIT.toMillis());
    factory.setClientFailureCheckPeriod(SILENCE_LIMIT.toMillis() / 2);
    factory.setBlockOnDurableSend(true);
    // What the broker says of others in its cluster leads nowhere: settings name the brokers.
    factory.setUseTopologyForLoadBalancing(false);
    factory.getServerLocator().addIncomingInterceptor(new Packing());
    // Nothing of a message is ever deserialized.
    factory.setDeserializationAllowList("org.keywell.none");
  }

  private TransportConfiguration transport(JmsProperties.Broker address, boolean withTls) {
    Map<String, Object> parameters = new HashMap<>();
    parameters.put(TransportConstants.HOST_PROP_NAME, address.host());
    parameters.put(TransportConstants.PORT_PROP_NAME, address.port());
    parameters.put(TransportConstants.NETTY_CONNECT_TIMEOUT, (int) CONNECT_LIMIT.toMillis());
    parameters.put(TransportConstants.USE_EPOLL_PROP_NAME, false);
    parameters.put(TransportConstants.USE_KQUEUE_PROP_NAME, false);
    if (withTls) {
      parameters.put(TransportConstants.SSL_ENABLED_PROP_NAME, true);
      parameters.put(TransportConstants.SSL_CONTEXT_PROP_NAME, name);
      parameters.put(TransportConstants.ENABLED_PROTOCOLS_PROP_NAME, "TLSv1.3,TLSv1.2");
      parameters.put(TransportConstants.VERIFY_HOST_PROP_NAME, true);
    }
    return new TransportConfiguration(NettyConnectorFactory.class.getName(), parameters);
  }

  /**
   * Connects, with the password as its file has it now. What is received and sent counts once it is
   * committed.
   *
   * @throws BrokerException if the broker is away, or refuses this service
   */
  JMSContext open() throws BrokerException {
    try {
      return factory.createContext(user, password.read(), JMSContext.SESSION_TRANSACTED);
    } catch (JMSRuntimeException e) {
      throw new BrokerException(String.valueOf(e.getMessage()), e);
    }
  }

  /**
   * Names a queue without asking the broker for it, as sessions do: what is sent there may fail.
   */
  static Queue queue(String name) {
    return new ActiveMQQueue(name);
  }

  /**
   * Returns the broker's number of a message: the same however often that is delivered, and another
   * for each that is sent. A sender cannot choose it, as it can the message id.
   */
  static String numberOf(Message message) {
    return Long.toString(((ActiveMQMessage) message).getCoreMessage().getMessageID());
  }

  /** Returns where it is, for operators. */
  @Override
  public String toString() {
    return addresses.stream()
        .map(address -> address.host() + ":" + address.port())
        .collect(Collectors.joining(", "));
  }

  @Override
  public void close() {
    factory.close();
    NamedContexts.remove(name);
  }
}
