package org.keywell.standalone;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
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
import org.keywell.service.jms.EmbeddedBrokers;
import org.keywell.settings.JmsProperties;
import org.keywell.settings.StartRefusedException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * ActiveMQ Artemis in the data directory, on loopback: the service's user, and one for trying out
 * that may send requests and read its own answers. Nobody else gets in.
 */
public final class HomeBroker implements EmbeddedBrokers {

  private static final Logger log = LoggerFactory.getLogger(HomeBroker.class);

  /** The user for trying out, and the caller's name in the callers file that the launcher makes. */
  static final String TRIAL = "trial";

  private static final String SERVICE_ROLE = "service";
  private static final int START_SECONDS = 30;

  /** How long a message that went back stays away. */
  private static final long REDELIVERY_MILLIS = 2_000;

  @Override
  public Running start(Path home, JmsProperties properties) {
    EmbeddedActiveMQ server = new EmbeddedActiveMQ();
    try {
      Path directory = PrivateFiles.directory(home.resolve("jms"));
      SecurityConfiguration users = users(directory, properties);
      server
          .setConfiguration(configuration(directory, properties))
          .setSecurityManager(
              new ActiveMQJAASSecurityManager(InVMLoginModule.class.getName(), users))
          .start();
      if (!server.getActiveMQServer().waitForActivation(START_SECONDS, TimeUnit.SECONDS)
          || !server.getActiveMQServer().isStarted()) {
        throw new StartRefusedException(
            "the broker did not start within %d s".formatted(START_SECONDS));
      }
    } catch (StartRefusedException e) {
      throw e;
    } catch (Exception e) {
      throw new StartRefusedException(
          "the broker of keywell.jms.embedded cannot run at %s: %s"
              .formatted(properties.brokers(), e.getMessage()),
          e);
    }
    return () -> stop(server);
  }

  /** Passwords are made at the first start. */
  private static SecurityConfiguration users(Path directory, JmsProperties properties)
      throws IOException {
    String service = Objects.requireNonNull(properties.username(), "keywell.jms.username");
    SecurityConfiguration users = new SecurityConfiguration();
    users.addUser(
        service,
        PrivateFiles.secret(
            Objects.requireNonNull(properties.passwordFile(), "keywell.jms.password-file")));
    users.addRole(service, SERVICE_ROLE);
    users.addUser(TRIAL, PrivateFiles.secret(directory.resolve("trial.password")));
    users.addRole(TRIAL, TRIAL);
    return users;
  }

  private static void stop(EmbeddedActiveMQ server) {
    try {
      server.stop();
    } catch (Exception e) {
      log.warn("the broker did not end in order: {}", e.getMessage());
    }
  }

  private static Configuration configuration(Path directory, JmsProperties properties)
      throws Exception {
    JmsProperties.Broker address = properties.addresses().getFirst();
    String replies = properties.replyPrefix() + TRIAL;
    Configuration configuration =
        new ConfigurationImpl()
            .setPersistenceEnabled(true)
            .setJournalType(JournalType.NIO)
            .setJournalDirectory(directory.resolve("journal").toString())
            .setBindingsDirectory(directory.resolve("bindings").toString())
            .setPagingDirectory(directory.resolve("paging").toString())
            .setLargeMessagesDirectory(directory.resolve("large").toString())
            .setJMXManagementEnabled(false)
            .setSecurityEnabled(true)
            .setPopulateValidatedUser(true)
            // It ends with the service: otherwise, nothing would say at which message that was.
            .setPersistDeliveryCountBeforeDelivery(true)
            .addAcceptorConfiguration(
                "clients",
                "tcp://%s:%d?protocols=CORE&useEpoll=false&useKQueue=false"
                    .formatted(address.host(), address.port()));
    for (String queue : Set.of(properties.requestQueue(), properties.deadLetterQueue(), replies)) {
      configuration.addQueueConfiguration(
          QueueConfiguration.of(queue).setRoutingType(RoutingType.ANYCAST));
    }
    configuration.addAddressSetting(
        "#",
        new AddressSettings()
            .setAutoCreateAddresses(false)
            .setAutoCreateQueues(false)
            .setMaxDeliveryAttempts(-1)
            .setRedeliveryDelay(REDELIVERY_MILLIS));
    rights(properties, replies).forEach(configuration::putSecurityRoles);
    return configuration;
  }

  private static Map<String, Set<Role>> rights(JmsProperties properties, String replies) {
    return Map.of(
        "#",
        Set.of(temporary(SERVICE_ROLE), temporary(TRIAL)),
        properties.requestQueue(),
        Set.of(may(TRIAL, true, false), may(SERVICE_ROLE, false, true)),
        properties.deadLetterQueue(),
        Set.of(may(SERVICE_ROLE, true, true)),
        replies,
        Set.of(may(SERVICE_ROLE, true, false), may(TRIAL, false, true)));
  }

  private static Role may(String role, boolean send, boolean consume) {
    return new Role(
        role, send, consume, false, false, false, false, false, consume, false, false, false,
        false);
  }

  /** Temporary queues have names that nobody guesses. */
  private static Role temporary(String role) {
    return new Role(
        role, true, true, false, false, true, true, false, true, true, true, false, false);
  }
}
