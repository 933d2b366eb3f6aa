package org.keywell.signing.lifecycle;

import java.sql.SQLException;
import org.keywell.keypool.PoolListener;
import org.keywell.keypool.store.Estate;
import org.keywell.settings.KeywellProperties;
import org.keywell.signing.database.DatabaseException;
import org.keywell.signing.database.InstanceLock;
import org.keywell.signing.record.Recovery;
import org.keywell.signing.sign.SignListener;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/** Requests and keys of this instance that were left unfinished. */
@Component
final class Leftovers {

  private static final Logger log = LoggerFactory.getLogger(Leftovers.class);

  private final KeywellProperties properties;
  private final InstanceLock lock;
  private final SignListener requests;
  private final PoolListener keys;

  Leftovers(
      KeywellProperties properties, InstanceLock lock, SignListener requests, PoolListener keys) {
    this.properties = properties;
    this.lock = lock;
    this.requests = requests;
    this.keys = keys;
  }

  private record Closed(int requests, int keys) {}

  /** To be called first: closes what an earlier run left in flight and forfeits its keys. */
  void closeBeforeStart() {
    try {
      Closed closed = close();
      requests.interrupted(closed.requests());
      tell("the last run of %s ended without order", closed);
    } catch (SQLException e) {
      throw new DatabaseException(
          "what an earlier run left cannot be closed: " + e.getMessage(), e);
    }
  }

  /**
   * To be called with nothing in flight: closes what was lost in a failure that the run survived.
   *
   * @return whether this run ends in order
   */
  boolean closeAfterStop() {
    if (!lock.ensureHeld()) {
      log.error("what this run left open is not closed: the instance's name is not held");
      return false;
    }
    try {
      tell("what %s could not record is closed at the stop", close());
      return true;
    } catch (SQLException e) {
      log.error("what this run left open is not closed; the next start does: {}", e.getMessage());
      return false;
    }
  }

  private Closed close() throws SQLException {
    String instance = properties.instance();
    Closed closed =
        lock.whileHeld(connection ->
            new Closed(
                Recovery.closeInFlight(connection, instance),
                new Estate(connection, instance).forfeit(instance)));
    keys.forfeited(closed.keys());
    return closed;
  }

  private void tell(String when, Closed closed) {
    if (closed.requests() > 0 || closed.keys() > 0) {
      log.warn(
          "{}: {} requests in flight closed as failed, {} keys forfeited",
          when.formatted(properties.instance()),
          closed.requests(),
          closed.keys());
    }
  }
}
