package org.keywell.jms;

import com.zaxxer.hikari.HikariDataSource;
import jakarta.jms.JMSException;
import jakarta.jms.TextMessage;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.keywell.json.ActRequestParser;
import org.keywell.settings.ActProperties;
import org.keywell.settings.JmsProperties;
import org.keywell.signing.database.MessageAttempts;
import org.keywell.signing.fairness.CallerRates;
import org.keywell.testkit.PostgresForTests;

/**
 * A process that takes messages from a broker, answers them, and does not survive all of them. What
 * a message does is its text.
 */
final class DyingService {

  static final String REQUESTS = "requests";
  static final String ANSWERS = "answers";
  static final String DEAD_LETTERS = "dead-letters";

  /** Ends the process; a moment later, if another one is being worked on. */
  static final String DEADLY = "deadly";

  /** Answered after a while, within which others of its kind end the process. */
  static final String SLOW = "slow";

  /** Ends its consumer. */
  static final String DEEP = "deep";

  /** Cannot be worked on before its fifth delivery. */
  static final String LATER = "later";

  static final int DEAD = 9;
  private static final int FIFTH = 5;
  private static final Duration A_WHILE = Duration.ofMillis(500);
  private static final Duration LONG = Duration.ofMinutes(1);

  private static final CountDownLatch beside = new CountDownLatch(1);

  private DyingService() {}

  /** Runs until its input ends: port of the broker, consumers, database. */
  public static void main(String[] arguments) throws IOException {
    PostgresForTests.Database database =
        new PostgresForTests.Database(arguments[2], arguments[3], arguments[4]);
    try (HikariDataSource connections = database.dataSource()) {
      CountDownLatch stop = new CountDownLatch(1);
      for (RequestConsumer consumer :
          consumers(
              Integer.parseInt(arguments[0]),
              Integer.parseInt(arguments[1]),
              new Attempts(new MessageAttempts(connections, "dying")),
              stop)) {
        consumer.start();
      }
      int _ = System.in.read();
      stop.countDown();
    }
  }

  /** Starts one in a separate process. */
  static Process start(int port, int consumers, PostgresForTests.Database database)
      throws IOException {
    return new ProcessBuilder(
            List.of(
                ProcessHandle.current().info().command().orElseThrow(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                DyingService.class.getName(),
                Integer.toString(port),
                Integer.toString(consumers),
                database.url(),
                database.username(),
                database.password()))
        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
        .redirectError(ProcessBuilder.Redirect.INHERIT)
        .start();
  }

  private static List<RequestConsumer> consumers(
      int port, int count, Attempts attempts, CountDownLatch stop) {
    Broker broker =
        new Broker(
            List.of(new JmsProperties.Broker("127.0.0.1", port)), "service", () -> "none", null);
    InstantSource clock = InstantSource.system();
    MessageFlow flow =
        new MessageFlow(
            DyingService::read,
            signing(clock),
            DEAD_LETTERS,
            LONG,
            clock,
            new DeadLetterNotes(DEAD_LETTERS, System::nanoTime),
            new Nobody());
    List<RequestConsumer> consumers = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      consumers.add(
          new RequestConsumer(
              "consumer-" + i,
              broker,
              REQUESTS,
              () -> "",
              LONG,
              1 << 20,
              false,
              attempts,
              flow,
              new BrokerStatus(REQUESTS, clock),
              stop));
    }
    return consumers;
  }

  private static SigningCall signing(InstantSource clock) {
    ActCalls acts =
        new ActCalls(
            new ActRequestParser(
                Samples.parser(), new ActProperties(1, Duration.ofMinutes(1), LONG)),
            (_, _, _, _) -> {
              throw new AssertionError("no act is signed");
            },
            (_, _) -> {
              throw new AssertionError("no act is cancelled");
            },
            Samples.JSON);
    return new SigningCall(
        Samples.parser(),
        (_, _) -> {
          throw new AssertionError("nothing is signed");
        },
        (_, _) -> {
          throw new AssertionError("nothing is repeated");
        },
        (_, _) -> {
          throw new AssertionError("no act is opened");
        },
        (_, _) -> {
          throw new AssertionError("no act is repeated");
        },
        acts,
        new CallerRates(System::nanoTime),
        _ -> 0,
        Samples.JSON,
        clock,
        System::nanoTime);
  }

  private static Incoming read(Delivery delivery) throws JMSException {
    Reply reply =
        new Reply(ANSWERS, String.valueOf(delivery.message().getJMSCorrelationID()), 4, null);
    if (delivery.unread() != null) {
      return new Incoming.Poison(
          delivery.unread().fault(), "sender", delivery.unread().detail(), reply);
    }
    try {
      switch (((TextMessage) delivery.message()).getText()) {
        case DEADLY -> {
          boolean _ = beside.await(A_WHILE.toMillis(), TimeUnit.MILLISECONDS);
          Runtime.getRuntime().halt(DEAD);
        }
        case SLOW -> {
          beside.countDown();
          Thread.sleep(A_WHILE);
        }
        case DEEP -> throw new StackOverflowError(DEEP);
        case LATER -> {
          if (delivery.message().getIntProperty("JMSXDeliveryCount") < FIFTH) {
            return new Incoming.Unknowable();
          }
        }
        default -> {
          // It is answered.
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return new Incoming.Refused(Answer.problem("served", "as it should be"), reply);
  }

  private static final class Nobody implements MessageListener {
    @Override
    public void answered(String result) {}

    @Override
    public void moved(String reason) {}

    @Override
    public void returned() {}
  }
}
