package org.keywell.jms;

import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.JMSRuntimeException;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A thread that takes one message after the other, with a connection of its own. Without a broker
 * it tries to connect, at first after half a second, later every ten.
 */
final class RequestConsumer {

  private static final Logger log = LoggerFactory.getLogger(RequestConsumer.class);

  private static final Duration FIRST_PAUSE = Duration.ofMillis(500);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(10);

  /** How long a stop waits for a thread that waits for a message. */
  private static final Duration LOOK = Duration.ofSeconds(1);

  private final Broker broker;
  private final String queue;
  private final Supplier<String> selector;
  private final Duration selection;
  private final int maxBytes;
  private final boolean provesSenders;
  private final Attempts attempts;
  private final MessageFlow flow;
  private final BrokerStatus status;
  private final CountDownLatch stop;
  private final Thread thread;
  private Duration pause = FIRST_PAUSE;

  /**
   * @param selector says which messages of the queue are taken; asked for again and again
   * @param selection how long one is used
   * @param maxBytes of a message's body, compressed and not
   * @param provesSenders whether the broker has to state who sends
   * @param stop opened when this and all others shall end
   */
  RequestConsumer(
      String threadName,
      Broker broker,
      String queue,
      Supplier<String> selector,
      Duration selection,
      int maxBytes,
      boolean provesSenders,
      Attempts attempts,
      MessageFlow flow,
      BrokerStatus status,
      CountDownLatch stop) {
    this.broker = broker;
    this.queue = queue;
    this.selector = selector;
    this.selection = selection;
    this.maxBytes = maxBytes;
    this.provesSenders = provesSenders;
    this.attempts = attempts;
    this.flow = flow;
    this.status = status;
    this.stop = stop;
    this.thread = Thread.ofPlatform().name(threadName).daemon().unstarted(this::run);
  }

  void start() {
    thread.start();
  }

  /** Waits for the end of a thread that was told to stop. */
  boolean join(Duration limit) throws InterruptedException {
    return thread.join(limit);
  }

  private void run() {
    try {
      do {
        consume();
      } while (mayWait(pause));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Takes messages until the connection is lost or the service stops. */
  private void consume() throws InterruptedException {
    boolean connected = false;
    String reason = "stopped";
    try (JMSContext session = broker.open()) {
      if (provesSenders) {
        SenderProof.require(session);
      }
      while (stop.getCount() > 0) {
        try (Deliveries deliveries =
            new Deliveries(session, queue, selector.get(), maxBytes, attempts)) {
          if (!connected) {
            status.connected();
            connected = true;
            pause = FIRST_PAUSE;
          }
          take(session, deliveries);
        }
      }
    } catch (BrokerException | JMSException | JMSRuntimeException e) {
      reason = String.valueOf(e.getMessage());
      log.debug("a connection to the broker ended", e);
    } catch (RuntimeException | StackOverflowError e) {
      // Whatever a message does to its consumer, that goes on with the next one.
      reason = e.toString();
      log.error("a consumer failed", e);
    }
    if (stop.getCount() > 0) {
      status.lost(connected, reason);
    }
    pause = Collections.min(List.of(pause.multipliedBy(2), LONGEST_PAUSE));
  }

  /** Takes messages for as long as a selector is used, and up to one that is not fetched. */
  private void take(JMSContext session, Deliveries deliveries)
      throws BrokerException, JMSException, InterruptedException {
    long began = System.nanoTime();
    while (stop.getCount() > 0 && System.nanoTime() - began < selection.toNanos()) {
      Deliveries.@Nullable Taken taken;
      try {
        taken = deliveries.next(LOOK);
      } catch (Deliveries.NotNowException e) {
        flow.giveBack(session, this::mayWait);
        return;
      }
      if (taken != null) {
        try (Attempts.Attempt attempt = taken.attempt()) {
          flow.handle(session, taken.delivery(), attempt::end, this::mayWait);
        }
        Delivery.@Nullable Unread unread = taken.delivery().unread();
        if (unread != null && !unread.isHere()) {
          return;
        }
      }
    }
  }

  private boolean mayWait(Duration duration) throws InterruptedException {
    return !stop.await(duration.toMillis(), TimeUnit.MILLISECONDS);
  }
}
