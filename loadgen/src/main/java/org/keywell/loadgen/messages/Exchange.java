package org.keywell.loadgen.messages;

import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.JMSRuntimeException;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;
import org.apache.activemq.artemis.jms.client.ActiveMQConnectionFactory;

/** Clients and responders at work, each in a thread and on a connection of its own. Used once. */
final class Exchange implements AutoCloseable {
  private final ActiveMQConnectionFactory connections;
  private final List<JMSContext> contexts = new ArrayList<>();
  private final Quota quota;
  private final LongAdder answered = new LongAdder();
  private final Trouble trouble = new Trouble();
  private final Meter meter;
  private volatile boolean asking = true;
  private volatile boolean answering = true;

  Exchange(Broker broker, boolean tls) throws IOException {
    this(broker, tls, Quota.unlimited());
  }

  /**
   * @param quota of all clients together
   */
  Exchange(Broker broker, boolean tls, Quota quota) throws IOException {
    this.quota = quota;
    this.meter = new Meter(answered, broker.pid());
    this.connections = broker.connections(tls);
  }

  /** Sets clients to work and measures them. */
  private interface Measurement {

    /**
     * @param start starts all clients; what it returns completes when they have ended
     */
    MessageTrial of(Supplier<CompletableFuture<Void>> start)
        throws IOException, InterruptedException;
  }

  /**
   * Measures round trips among clients that are at work before and after.
   *
   * @throws IOException if any exchange fails
   */
  MessageTrial run(
      Layout layout, int clients, Side requester, Side responder, Duration warmUp, Duration time)
      throws IOException, InterruptedException {
    return run(
        layout,
        clients,
        requester,
        responder,
        start -> {
          CompletableFuture<Void> end = start.get();
          trouble.pass(warmUp);
          MessageTrial trial = meter.measure(() -> trouble.pass(time));
          end(end);
          return trial;
        });
  }

  /**
   * Measures all round trips, from the first one's start to the last one's end. They begin within
   * this time and the quota.
   *
   * @throws IOException if any exchange fails
   */
  MessageTrial runToTheEnd(
      Layout layout, int clients, Side requester, Side responder, Duration time)
      throws IOException, InterruptedException {
    return run(
        layout,
        clients,
        requester,
        responder,
        start ->
            meter.measure(() -> {
              CompletableFuture<Void> end = start.get();
              trouble.pass(time, end);
              end(end);
            }));
  }

  private MessageTrial run(
      Layout layout, int clients, Side requester, Side responder, Measurement measurement)
      throws IOException, InterruptedException {
    int queues = layout.queues(clients);
    boolean persistent = layout.isPersistent();
    try (ExecutorService threads = Executors.newCachedThreadPool()) {
      try {
        for (int i = 0; i < layout.responders(clients); i++) {
          JMSContext context = connect(JMSContext.SESSION_TRANSACTED);
          Desk.Work work = Desk.of(context, persistent, queue(i % queues), responder).answers();
          threads.execute(() -> answer(work));
        }
        List<Desk.Work> requesters = new ArrayList<>();
        for (int i = 0; i < clients; i++) {
          JMSContext context = connect(JMSContext.AUTO_ACKNOWLEDGE);
          requesters.add(
              Desk.of(context, persistent, "replies." + i, requester).requests(queue(i % queues)));
        }
        return measurement.of(() ->
            CompletableFuture.allOf(
                requesters.stream()
                    .map(work -> CompletableFuture.runAsync(() -> ask(work), threads))
                    .toArray(CompletableFuture[]::new)));
      } catch (JMSException | JMSRuntimeException e) {
        throw new IOException("the broker: " + e.getMessage(), e);
      } finally {
        asking = false;
        answering = false;
        threads.shutdownNow();
      }
    }
  }

  private JMSContext connect(int mode) {
    JMSContext context = connections.createContext(mode);
    contexts.add(context);
    return context;
  }

  private static String queue(int number) {
    return "requests." + number;
  }

  private void ask(Desk.Work work) {
    try {
      while (asking && quota.take()) {
        long began = System.nanoTime();
        work.once();
        quota.ended(System.nanoTime() - began);
        answered.increment();
      }
    } catch (IOException | JMSException | RuntimeException e) {
      trouble.report(e);
    }
  }

  private void answer(Desk.Work work) {
    try {
      while (answering) {
        work.once();
      }
    } catch (IOException | JMSException | RuntimeException e) {
      trouble.report(e);
    }
  }

  /** Lets clients end what they have begun: nothing may be left in a queue. */
  private void end(CompletableFuture<Void> clients) throws IOException, InterruptedException {
    asking = false;
    clients.join();
    trouble.pass(Duration.ZERO);
  }

  @Override
  public void close() {
    for (JMSContext context : contexts) {
      try {
        context.close();
      } catch (JMSRuntimeException e) {
        // The broker is gone, which has been noticed.
      }
    }
    connections.close();
  }
}
