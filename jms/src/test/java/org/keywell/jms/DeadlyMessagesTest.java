package org.keywell.jms;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import jakarta.jms.JMSContext;
import jakarta.jms.Message;
import jakarta.jms.TextMessage;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.apache.activemq.artemis.api.core.QueueConfiguration;
import org.apache.activemq.artemis.api.core.RoutingType;
import org.apache.activemq.artemis.core.config.Configuration;
import org.apache.activemq.artemis.core.config.impl.ConfigurationImpl;
import org.apache.activemq.artemis.core.server.JournalType;
import org.apache.activemq.artemis.core.server.embedded.EmbeddedActiveMQ;
import org.apache.activemq.artemis.core.settings.impl.AddressSettings;
import org.apache.activemq.artemis.jms.client.ActiveMQConnectionFactory;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.keywell.testkit.PostgresForTests;
import org.keywell.testkit.Sql;

/** Messages at which the process dies, at a real broker; the processes are real as well. */
@Tag("process")
@Tag("postgresql")
@Timeout(180)
final class DeadlyMessagesTest {

  private static final long SOON = 30_000;
  private static final long NOT_YET = 200;
  private static final int DEATHS = 3;
  private static final long REDELIVERY_MILLIS = 200;

  @TempDir private static Path directory;

  private static final EmbeddedActiveMQ broker = new EmbeddedActiveMQ();
  private static final PostgresForTests.Database database = PostgresForTests.newDatabase();
  private static int port;
  private static ActiveMQConnectionFactory clients;

  private JMSContext client;

  @BeforeAll
  static void start() throws Exception {
    try (ServerSocket free = new ServerSocket(0)) {
      port = free.getLocalPort();
    }
    Configuration configuration =
        new ConfigurationImpl()
            .setPersistenceEnabled(true)
            .setJournalType(JournalType.NIO)
            .setJournalDirectory(directory.resolve("journal").toString())
            .setBindingsDirectory(directory.resolve("bindings").toString())
            .setPagingDirectory(directory.resolve("paging").toString())
            .setLargeMessagesDirectory(directory.resolve("large").toString())
            .setMaxDiskUsage(-1)
            .setJMXManagementEnabled(false)
            .setSecurityEnabled(false)
            .addAcceptorConfiguration("tcp", "tcp://127.0.0.1:" + port + "?useEpoll=false");
    for (String queue :
        List.of(DyingService.REQUESTS, DyingService.ANSWERS, DyingService.DEAD_LETTERS)) {
      configuration.addQueueConfiguration(
          QueueConfiguration.of(queue).setRoutingType(RoutingType.ANYCAST));
    }
    configuration.addAddressSetting(
        "#",
        new AddressSettings().setMaxDeliveryAttempts(-1).setRedeliveryDelay(REDELIVERY_MILLIS));
    broker.setConfiguration(configuration).start();
    clients = new ActiveMQConnectionFactory("tcp://127.0.0.1:" + port);
  }

  @AfterAll
  static void stop() throws Exception {
    clients.close();
    broker.stop();
  }

  @BeforeEach
  void connect() {
    client = clients.createContext();
  }

  @AfterEach
  void nothingIsLeft() throws Exception {
    assertThat(next(DyingService.REQUESTS, NOT_YET)).isNull();
    assertThat(next(DyingService.DEAD_LETTERS, NOT_YET)).isNull();
    client.close();
    try (HikariDataSource connections = database.dataSource()) {
      assertThat(new Sql(connections).count("SELECT count(*) FROM message_attempt")).isZero();
    }
  }

  @Test
  void afterThreeDeathsThoseBehindAreServed() throws Exception {
    send("killer", DyingService.DEADLY);
    send("first", "behind");
    send("second", "behind");
    for (int i = 0; i < DEATHS; i++) {
      Process process = DyingService.start(port, 1, database);
      assertThat(process.waitFor(SOON, TimeUnit.MILLISECONDS)).isTrue();
      assertThat(process.exitValue()).isEqualTo(DyingService.DEAD);
    }

    Process process = DyingService.start(port, 1, database);
    try {
      assertAnswer("first", "served");
      assertAnswer("second", "served");
      assertAnswer("killer", "process-ended");
      assertThat(process.isAlive()).isTrue();
    } finally {
      end(process);
    }
    Message dead = Objects.requireNonNull(next(DyingService.DEAD_LETTERS, SOON));
    assertThat(dead.getStringProperty("KeywellReason")).isEqualTo("process-ended");
    assertThat(dead.getJMSCorrelationID()).isEqualTo("killer");
  }

  /** It is worked on whenever the process dies of another message. */
  @Test
  void whatWasWorkedOnBesideItIsServed() throws Exception {
    send("killer", DyingService.DEADLY);
    send("bystander", DyingService.SLOW);
    Process process = DyingService.start(port, 2, database);
    try {
      int deaths = 0;
      while (answer("killer", NOT_YET) == null) {
        if (!process.isAlive()) {
          assertThat(process.exitValue()).isEqualTo(DyingService.DEAD);
          assertThat(++deaths).isLessThan(2 * DEATHS);
          process = DyingService.start(port, 2, database);
        }
      }
      assertAnswer("bystander", "served");
    } finally {
      end(process);
    }
    assertThat(next(DyingService.DEAD_LETTERS, SOON)).isNotNull();
  }

  @Test
  void whatGoesBackInOrderIsNoDeath() throws Exception {
    send("patient", DyingService.LATER);
    Process process = DyingService.start(port, 2, database);
    try {
      assertAnswer("patient", "served");
    } finally {
      end(process);
    }
  }

  /** Such as by nesting that nobody has thought of. */
  @Test
  void anErrorThatEndsItsConsumerCountsToo() throws Exception {
    send("deep", DyingService.DEEP);
    send("behind", "behind");
    Process process = DyingService.start(port, 1, database);
    try {
      assertAnswer("behind", "served");
      assertAnswer("deep", "process-ended");
    } finally {
      end(process);
    }
    assertThat(next(DyingService.DEAD_LETTERS, SOON)).isNotNull();
  }

  private static void end(Process process) throws Exception {
    process.getOutputStream().close();
    if (!process.waitFor(SOON, TimeUnit.MILLISECONDS)) {
      process.destroyForcibly().waitFor();
    }
  }

  private void send(String correlationId, String text) throws Exception {
    TextMessage message = client.createTextMessage(text);
    message.setJMSCorrelationID(correlationId);
    client.createProducer().send(client.createQueue(DyingService.REQUESTS), message);
  }

  private Message next(String queue, long millis) {
    try (var consumer = client.createConsumer(client.createQueue(queue))) {
      return consumer.receive(millis);
    }
  }

  private void assertAnswer(String correlationId, String problem) throws Exception {
    TextMessage answer =
        Objects.requireNonNull(answer(correlationId, SOON), "the answer to " + correlationId);
    assertThat(answer.getText()).contains("urn:keywell:problem:" + problem);
  }

  private @Nullable TextMessage answer(String correlationId, long millis) {
    try (var consumer =
        client.createConsumer(
            client.createQueue(DyingService.ANSWERS),
            "JMSCorrelationID = '" + correlationId + "'")) {
      return (TextMessage) consumer.receive(millis);
    }
  }
}
