package org.keywell.jms;

import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether the broker is there, for all consumers together. An outage is logged when it begins and
 * when it ends. Thread-safe.
 */
public final class BrokerStatus {

  private static final Logger log = LoggerFactory.getLogger(BrokerStatus.class);

  /** Why and since when nothing is taken from the broker. */
  public record Outage(String reason, Instant since) {}

  private final String where;
  private final InstantSource clock;
  private int consuming;
  private @Nullable Outage outage;
  private boolean told;

  /**
   * @param where the request queue and the broker, for operators
   */
  BrokerStatus(String where, InstantSource clock) {
    this.where = where;
    this.clock = clock;
    this.outage = new Outage("not connected yet", clock.instant());
  }

  /** A consumer takes requests from now on. */
  synchronized void connected() {
    consuming++;
    if (outage != null) {
      outage = null;
      told = false;
      log.info("requests are taken from {}", where);
    }
  }

  /**
   * A consumer has no connection, or has lost it.
   *
   * @param wasConnected whether it was {@link #connected}
   */
  synchronized void lost(boolean wasConnected, String reason) {
    if (wasConnected) {
      consuming--;
    }
    if (consuming > 0) {
      return;
    }
    Instant since = outage == null ? clock.instant() : outage.since();
    outage = new Outage(reason, since);
    if (!told) {
      told = true;
      log.warn("no requests can be taken from {}; they stay there: {}", where, reason);
    }
  }

  /** Returns the number of consumers that take requests. */
  public synchronized int consuming() {
    return consuming;
  }

  /** Returns the current outage; empty while requests are taken. */
  public synchronized Optional<Outage> outage() {
    return Optional.ofNullable(outage);
  }
}
