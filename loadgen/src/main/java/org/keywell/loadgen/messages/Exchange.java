package org.keywell.loadgen.messages;

import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.JMSRuntimeException;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.LongAdder;
import org.apache.activemq.artemis.jms.client.ActiveMQConnectionFactory;

/** Clients and responders at work, each in a thread and on a connection of its own. Used once. */
final class Exchange implements AutoCloseable {
  private final Broker broker;
  private final ActiveMQConnectionFactory connections;
  private final List<JMSContext> contexts = new ArrayList<>();
  private final LongAdder answered = new LongAdder();
  private final CompletableFuture<Void> trouble = new CompletableFuture<>();
  private volatile boolean asking = true;
  private volatile boolean answering = true;

  Exchange(Broker broker, boolean tls) throws IOException {
    this.broker = broker;
    this.connections = broker.connections(tls);
  }

  /**
   * Measures round trips.
   *
   * @throws IOException if any exchange fails
   */
  MessageTrial run(
      Layout layout, int clients, Side requester, Side responder, Duration warmUp, Duration time)
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
        CompletableFuture<?>[] all =
            requesters.stream()
                .map(work -> CompletableFuture.runAsync(() -> ask(work), threads))
                .toArray(CompletableFuture[]::new);
        pass(warmUp);
        MessageTrial trial = measure(time);
        asking = false;
        // Nothing may be left in a queue.
        CompletableFuture.allOf(all).join();
        pass(Duration.ZERO);
        return trial;
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
      while (asking) {
        work.once();
        answered.increment();
      }
    } catch (IOException | JMSException | RuntimeException e) {
      trouble.completeExceptionally(e);
    }
  }

  private void answer(Desk.Work work) {
    try {
      while (answering) {
        work.once();
      }
    } catch (IOException | JMSException | RuntimeException e) {
      trouble.completeExceptionally(e);
    }
  }

  private MessageTrial measure(Duration time) throws IOException, InterruptedException {
    long own = ProcessHandle.current().pid();
    double ofClients = processorSeconds(own);
    double ofBroker = processorSeconds(broker.pid());
    long before = answered.sum();
    long began = System.nanoTime();
    pass(time);
    long count = answered.sum() - before;
    double seconds = (System.nanoTime() - began) / 1e9;
    if (count == 0) {
      throw new IOException("nothing was answered");
    }
    return new MessageTrial(
        count,
        seconds,
        processorSeconds(own) - ofClients,
        processorSeconds(broker.pid()) - ofBroker);
  }

  private static double processorSeconds(long pid) {
    return ProcessHandle.of(pid)
            .flatMap(process -> process.info().totalCpuDuration())
            .orElse(Duration.ZERO)
            .toNanos()
        / 1e9;
  }

  /** Waits, unless something fails. */
  private void pass(Duration time) throws IOException, InterruptedException {
    try {
      trouble.get(time.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      // All went well.
    } catch (ExecutionException e) {
      throw new IOException(String.valueOf(e.getCause()), e);
    }
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
