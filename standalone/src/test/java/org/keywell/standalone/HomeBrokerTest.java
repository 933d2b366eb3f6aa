package org.keywell.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.apache.activemq.artemis.api.core.client.ActiveMQClient;
import org.apache.activemq.artemis.api.core.client.ClientMessage;
import org.apache.activemq.artemis.api.core.client.ClientSession;
import org.apache.activemq.artemis.api.core.client.ClientSessionFactory;
import org.apache.activemq.artemis.api.core.client.ServerLocator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.keywell.service.jms.EmbeddedBrokers;
import org.keywell.settings.JmsProperties;
import org.keywell.testkit.FreePort;

/** A broker that ends with the process at which it delivers a message. */
@Tag("process")
@Timeout(120)
final class HomeBrokerTest {

  private static final String REQUESTS = "keywell.requests";
  private static final int SOON_MILLIS = 30_000;
  private static final int DEAD = 9;

  /** The start of AMQP 1.0. */
  private static final byte[] AMQP = {'A', 'M', 'Q', 'P', 0, 1, 0, 0};

  @TempDir Path home;

  @Test
  void itSpeaksOneProtocol() throws Exception {
    int port = FreePort.find();
    Path password = home.resolve("jms").resolve("service.password");
    try (EmbeddedBrokers.Running _ =
            new HomeBroker().start(home, Dying.properties("127.0.0.1:" + port, password));
        Socket connection = new Socket(InetAddress.getLoopbackAddress(), port)) {
      connection.setSoTimeout(2_000);
      connection.getOutputStream().write(AMQP);

      assertThat(answer(connection)).isEmpty();
    }
  }

  /** Returns what comes at once, which is nothing if the broker waits for more or hangs up. */
  private static byte[] answer(Socket connection) throws IOException {
    try {
      return connection.getInputStream().readNBytes(AMQP.length);
    } catch (SocketTimeoutException e) {
      return new byte[0];
    }
  }

  @Test
  void itKnowsHowOftenAMessageWasDeliveredBeforeItDied() throws Exception {
    int port = FreePort.find();
    for (int delivery = 1; delivery <= 3; delivery++) {
      Process process =
          new ProcessBuilder(
                  ProcessHandle.current().info().command().orElseThrow(),
                  "-cp",
                  System.getProperty("java.class.path"),
                  Dying.class.getName(),
                  home.toString(),
                  Integer.toString(port))
              .redirectErrorStream(true)
              .start();
      List<String> told = process.inputReader().lines().toList();
      assertThat(process.waitFor(SOON_MILLIS, TimeUnit.MILLISECONDS)).isTrue();

      assertThat(told).contains("delivery " + delivery);
      assertThat(process.exitValue()).isEqualTo(DEAD);
    }
  }

  /** Sends a message at the first start, has it delivered, and dies. */
  static final class Dying {

    private Dying() {}

    public static void main(String[] arguments) throws Exception {
      Path home = Path.of(arguments[0]);
      Path password = home.resolve("jms").resolve("service.password");
      boolean isFirst = !Files.exists(password);
      String address = "127.0.0.1:" + arguments[1];
      EmbeddedBrokers.Running _ = new HomeBroker().start(home, properties(address, password));
      try (ServerLocator locator =
              ActiveMQClient.createServerLocator("tcp://" + address + "?useEpoll=false");
          ClientSessionFactory factory = locator.createSessionFactory()) {
        if (isFirst) {
          try (ClientSession trial =
              session(factory, "trial", password.resolveSibling("trial.password"))) {
            trial.createProducer(REQUESTS).send(trial.createMessage(true));
          }
        }
        ClientSession service = session(factory, "service", password);
        service.start();
        ClientMessage message =
            Objects.requireNonNull(service.createConsumer(REQUESTS).receive(SOON_MILLIS));
        System.out.println("delivery " + message.getDeliveryCount());
        Runtime.getRuntime().halt(DEAD);
      }
    }

    private static ClientSession session(ClientSessionFactory factory, String user, Path password)
        throws Exception {
      return factory.createSession(user, Files.readString(password), false, true, false, false, 0);
    }

    private static JmsProperties properties(String address, Path password) {
      return new JmsProperties(
          true,
          true,
          List.of(address),
          null,
          "service",
          password,
          true,
          REQUESTS,
          "keywell.dead-letters",
          "keywell.replies.",
          1,
          Duration.ofMinutes(1),
          null,
          null,
          null);
    }
  }
}
