package org.keywell.acceptance.running;

import java.nio.file.Path;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.activemq.artemis.api.core.QueueConfiguration;
import org.apache.activemq.artemis.api.core.RoutingType;
import org.apache.activemq.artemis.core.config.Configuration;
import org.apache.activemq.artemis.core.config.impl.ConfigurationImpl;
import org.apache.activemq.artemis.core.config.impl.SecurityConfiguration;
import org.apache.activemq.artemis.core.security.Role;
import org.apache.activemq.artemis.core.server.JournalType;
import org.apache.activemq.artemis.core.server.embedded.EmbeddedActiveMQ;
import org.apache.activemq.artemis.core.settings.impl.AddressSettings;
import org.apache.activemq.artemis.spi.core.security.ActiveMQJAASSecurityManager;
import org.apache.activemq.artemis.spi.core.security.jaas.InVMLoginModule;
import org.keywell.testkit.FreePort;

/**
 * An ActiveMQ Artemis broker as docs/JMS.md describes one: persistent, with a user for the service
 * and users that may send requests and read their own answers.
 */
public final class ArtemisBroker implements AutoCloseable {

  public static final String SERVICE = "keywell";
  public static final String PORTAL = "portal";
  public static final String OTHER = "other";

  /** Sends, and is no caller. */
  public static final String STRANGER = "stranger";

  public static final String REQUESTS = "keywell.requests";

  /** Requests that are protected, by their quality. */
  public static final String SIGNED = "keywell.requests.signed";

  public static final String PRIVATE = "keywell.requests.private";
  public static final String SECRET = "keywell.requests.secret";

  public static final String DEAD_LETTERS = "keywell.dead-letters";
  public static final String REPLIES = "keywell.replies.";

  private final EmbeddedActiveMQ server;
  private final int port;

  private ArtemisBroker(EmbeddedActiveMQ server, int port) {
    this.server = server;
    this.port = port;
  }

  /** Starts one in this process, on a free port. */
  public static ArtemisBroker start(Path directory) throws Exception {
    return start(directory, FreePort.find(), true);
  }

  /**
   * Starts one in this process.
   *
   * @param validatedUser whether it writes the sender's name into messages
   */
  public static ArtemisBroker start(Path directory, int port, boolean validatedUser)
      throws Exception {
    return start(configuration(directory, port, validatedUser), port);
  }

  /**
   * Starts one in this process that listens with TLS on another port as well.
   *
   * @param tls further parameters of that acceptor, such as its key store
   */
  public static ArtemisBroker startWithTls(Path directory, int port, int tlsPort, String tls)
      throws Exception {
    return start(
        configuration(directory, port, true)
            .addAcceptorConfiguration(
                "tls",
                "tcp://127.0.0.1:"
                    + tlsPort
                    + "?protocols=CORE&useEpoll=false&sslEnabled=true&"
                    + tls),
        port);
  }

  private static ArtemisBroker start(Configuration configuration, int port) throws Exception {
    EmbeddedActiveMQ server =
        new EmbeddedActiveMQ()
            .setConfiguration(configuration)
            .setSecurityManager(
                new ActiveMQJAASSecurityManager(InVMLoginModule.class.getName(), users()));
    server.start();
    if (!server.getActiveMQServer().waitForActivation(30, TimeUnit.SECONDS)) {
      throw new AssertionError("the broker does not start");
    }
    return new ArtemisBroker(server, port);
  }

  /** Runs one in a process of its own, until it is killed: directory, port. */
  public static void main(String[] arguments) throws Exception {
    ArtemisBroker _ = start(Path.of(arguments[0]), Integer.parseInt(arguments[1]), true);
    System.out.println("ready");
    new CountDownLatch(1).await();
  }

  /** A user's password. */
  public static String password(String user) {
    return user + " secret";
  }

  private static SecurityConfiguration users() {
    SecurityConfiguration users = new SecurityConfiguration();
    for (String user : Set.of(SERVICE, PORTAL, OTHER, STRANGER)) {
      users.addUser(user, password(user));
      users.addRole(user, user);
      users.addRole(user, user.equals(SERVICE) ? "service" : "sender");
    }
    return users;
  }

  private static Configuration configuration(Path directory, int port, boolean validatedUser)
      throws Exception {
    Configuration configuration =
        new ConfigurationImpl()
            .setPersistenceEnabled(true)
            .setJournalType(JournalType.NIO)
            .setJournalDirectory(directory.resolve("journal").toString())
            .setBindingsDirectory(directory.resolve("bindings").toString())
            .setPagingDirectory(directory.resolve("paging").toString())
            .setLargeMessagesDirectory(directory.resolve("large").toString())
            // Tests on a disk that is nearly full must not block senders.
            .setMaxDiskUsage(-1)
            .setJMXManagementEnabled(false)
            .setSecurityEnabled(true)
            .setPopulateValidatedUser(validatedUser)
            .addAcceptorConfiguration(
                "tcp", "tcp://127.0.0.1:" + port + "?protocols=CORE,AMQP&useEpoll=false");
    Stream.of(
            REQUESTS,
            SIGNED,
            PRIVATE,
            SECRET,
            DEAD_LETTERS,
            REPLIES + PORTAL,
            REPLIES + OTHER,
            "private")
        .forEach(name ->
            configuration.addQueueConfiguration(
                QueueConfiguration.of(name).setRoutingType(RoutingType.ANYCAST)));
    configuration.addAddressSetting(
        "#",
        new AddressSettings()
            .setAutoCreateAddresses(false)
            .setAutoCreateQueues(false)
            .setMaxDeliveryAttempts(-1)
            .setRedeliveryDelay(500));
    rights().forEach((match, roles) -> configuration.putSecurityRoles(match, new HashSet<>(roles)));
    return configuration;
  }

  /** A user may read answers of its own; temporary queues have UUIDs as names. */
  private static Map<String, Set<Role>> rights() {
    Set<Role> requests = Set.of(may("sender", true, false), may("service", false, true));
    return Map.of(
        "#",
        Set.of(temporary("service"), temporary("sender")),
        REQUESTS,
        requests,
        SIGNED,
        requests,
        PRIVATE,
        requests,
        SECRET,
        requests,
        DEAD_LETTERS,
        Set.of(may("service", true, true)),
        REPLIES + PORTAL,
        Set.of(may("service", true, false), may(PORTAL, false, true)),
        REPLIES + OTHER,
        Set.of(may("service", true, false), may(OTHER, false, true)),
        "private",
        Set.of(may("service", true, true)));
  }

  private static Role may(String role, boolean send, boolean consume) {
    return new Role(
        role, send, consume, false, false, false, false, false, consume, false, false, false,
        false);
  }

  private static Role temporary(String role) {
    return new Role(
        role, true, true, false, false, true, true, false, true, true, true, false, false);
  }

  /** Settings of a service that takes requests from here, with its files in a directory. */
  public static Map<String, String> settings(int port, Path files) throws Exception {
    Path password = PrivateText.write(files.resolve("jms-password"), password(SERVICE) + "\n");
    Path callers =
        PrivateText.write(
            files.resolve("jms-callers.yaml"),
            Stream.of(PORTAL, OTHER)
                .map(user ->
                    "  - {name: %s, broker-user: %s, roles: [sign], identity: trusted-caller}"
                        .formatted(user, user))
                .collect(Collectors.joining("\n", "callers:\n", "\n")));
    return Map.of(
        "keywell.jms.enabled",
        "true",
        "keywell.jms.brokers",
        "127.0.0.1:" + port,
        "keywell.jms.username",
        SERVICE,
        "keywell.jms.password-file",
        password.toString(),
        "keywell.jms.validated-user",
        "true",
        "keywell.security.callers-file",
        callers.toString());
  }

  /** How many messages are in a queue, those at consumers included. */
  public long messages(String queue) {
    return server.getActiveMQServer().locateQueue(queue).getMessageCount();
  }

  public int port() {
    return port;
  }

  @Override
  public void close() {
    try {
      server.stop();
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }
}
