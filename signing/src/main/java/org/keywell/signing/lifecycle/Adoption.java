package org.keywell.signing.lifecycle;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import org.keywell.keypool.PoolListener;
import org.keywell.keypool.store.Estate;
import org.keywell.signing.database.DatabaseException;
import org.keywell.signing.database.InstanceLock;
import org.keywell.signing.database.VanishedInstances;
import org.keywell.signing.log.LogEntry;
import org.keywell.signing.log.LogWriter;
import org.keywell.signing.record.Recovery;
import org.keywell.signing.sign.SignListener;
import org.keywell.tlog.TreeHash;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Settles what vanished instances that were not restarted have left: closes their requests in
 * flight as failed, forfeits their keys, releases their places and takes over their counters. An
 * instance that was only cut off finds it done: its outcomes are refused, and it destroys the keys
 * that it has lost.
 *
 * <p>For one thread.
 */
final class Adoption {

  /**
   * How long nobody must have run as an instance: longer than a running one takes to notice that
   * its lock was lost with a connection, and to retake it.
   */
  static final Duration PATIENCE = Duration.ofSeconds(10);

  private static final Logger log = LoggerFactory.getLogger(Adoption.class);

  private final VanishedInstances vanished;
  private final InstanceLock lock;
  private final SignListener requests;
  private final PoolListener keys;
  private final LongSupplier nanoClock;
  private final String instance;
  private final LogWriter writer;

  /** Since when, by {@link #nanoClock}, nobody has been seen to run as an instance. */
  private final Map<String, Long> since = new HashMap<>();

  /**
   * @param instance of this process
   * @param writer tells the log which instance adopted which
   */
  Adoption(
      VanishedInstances vanished,
      InstanceLock lock,
      SignListener requests,
      PoolListener keys,
      LongSupplier nanoClock,
      String instance,
      LogWriter writer) {
    this.vanished = vanished;
    this.lock = lock;
    this.requests = requests;
    this.keys = keys;
    this.nanoClock = nanoClock;
    this.instance = instance;
    this.writer = writer;
  }

  /** What was closed and forfeited. */
  private record Settled(int requests, int keys, List<TreeHash> leaves) {}

  /**
   * Checks once, and settles what has waited long enough.
   *
   * @throws DatabaseException if the database fails
   */
  void look() {
    if (lock.loss().isPresent()) {
      // This instance may be the vanished one.
      since.clear();
      return;
    }
    try {
      List<String> names = vanished.find();
      since.keySet().retainAll(names);
      long now = nanoClock.getAsLong();
      for (String name : names) {
        if (now - since.computeIfAbsent(name, first -> now) >= PATIENCE.toNanos()) {
          vanished
              .settle(name, connection -> settle(connection, name))
              .ifPresent(done -> tell(name, done));
          since.remove(name);
        }
      }
    } catch (SQLException e) {
      throw new DatabaseException(
          "what vanished instances left cannot be settled: " + e.getMessage(), e);
    }
  }

  private Settled settle(Connection connection, String name) throws SQLException {
    int closed = Recovery.closeInFlight(connection, name);
    Estate estate = new Estate(connection, instance);
    int forfeited = estate.forfeit(name);
    estate.takeOverCounters(name);
    VanishedInstances.forgetReports(connection, name);
    LogEntry adopted =
        LogEntry.of("adopted")
            .text("instance", instance)
            .text("vanished", name)
            .number("requests", (long) closed)
            .number("keys", (long) forfeited)
            .time("at", Instant.now());
    return new Settled(closed, forfeited, writer.add(connection, List.of(adopted)));
  }

  private void tell(String name, Settled settled) {
    writer.committed(settled.leaves());
    requests.interrupted(settled.requests());
    keys.forfeited(settled.keys());
    if (settled.requests() > 0 || settled.keys() > 0) {
      log.warn(
          "{} has vanished: {} requests in flight closed as failed, {} keys forfeited",
          name,
          settled.requests(),
          settled.keys());
    }
  }
}
