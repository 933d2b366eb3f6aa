package org.keywell.service.jms;

import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.keywell.jms.BrokerStatus;
import org.keywell.jms.RequestListener;
import org.keywell.rest.tls.Lookups;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;

/**
 * Takes requests from the broker once the core has started, and no more before it stops. Starts
 * without the broker, too.
 */
public final class JmsDoor implements SmartLifecycle {

  private static final Logger log = LoggerFactory.getLogger(JmsDoor.class);

  private final @Nullable Supplier<EmbeddedBrokers.Running> embedded;
  private final RequestListener listener;
  private final Lookups lookups;
  private final Duration patience;
  private EmbeddedBrokers.@Nullable Running broker;
  private volatile boolean running;

  /**
   * @param embedded starts the broker that comes along; null: it is another's
   * @param lookups about signers' certificates; ended with this
   * @param patience how long a stop waits for requests
   */
  JmsDoor(
      @Nullable Supplier<EmbeddedBrokers.Running> embedded,
      RequestListener listener,
      Lookups lookups,
      Duration patience) {
    this.embedded = embedded;
    this.listener = listener;
    this.lookups = lookups;
    this.patience = patience;
  }

  /** Returns whether the broker is there, for each queue. */
  public List<BrokerStatus> statuses() {
    return listener.statuses();
  }

  @Override
  public void start() {
    if (embedded != null) {
      broker = embedded.get();
    }
    listener.start();
    running = true;
  }

  @Override
  public void stop() {
    running = false;
    if (!listener.stop(patience)) {
      log.warn("requests from the broker are left unanswered; it delivers them again");
    }
    lookups.close();
    if (broker != null) {
      broker.close();
    }
  }

  @Override
  public boolean isRunning() {
    return running;
  }

  /** Above the core's phase: starts later and stops earlier. */
  @Override
  public int getPhase() {
    return 1;
  }
}
