package org.keywell.signing.lifecycle;

import org.keywell.keypool.KeyPools;
import org.keywell.keypool.store.StoreException;
import org.keywell.settings.KeywellProperties;
import org.keywell.signing.database.InstanceLock;
import org.keywell.signing.record.RecordException;
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
  private final Recovery recovery;
  private final KeyPools pools;
  private final InstanceLock lock;
  private final SignListener requests;

  Leftovers(
      KeywellProperties properties,
      Recovery recovery,
      KeyPools pools,
      InstanceLock lock,
      SignListener requests) {
    this.properties = properties;
    this.recovery = recovery;
    this.pools = pools;
    this.lock = lock;
    this.requests = requests;
  }

  /** To be called first: closes what an earlier run left in flight and forfeits its keys. */
  void closeBeforeStart() {
    int interrupted = recovery.closeInFlight();
    int forfeited = pools.forfeitLeftovers();
    requests.interrupted(interrupted);
    if (interrupted > 0 || forfeited > 0) {
      log.warn(
          "the last run of {} ended without order: {} requests in flight closed as failed, {} keys"
              + " forfeited",
          properties.instance(),
          interrupted,
          forfeited);
    }
  }

  /**
   * To be called with nothing in flight: closes what was lost in a failure that the run survived.
   */
  void closeAfterStop() {
    if (!lock.ensureHeld()) {
      log.error("what this run left open is not closed: the instance's name is not held");
      return;
    }
    try {
      int interrupted = recovery.closeInFlight();
      int forfeited = pools.forfeitLeftovers();
      if (interrupted > 0 || forfeited > 0) {
        log.warn(
            "closed at the stop, since their outcome could not be recorded: {} requests, {} keys",
            interrupted,
            forfeited);
      }
    } catch (StoreException | RecordException e) {
      log.error("what this run left open is not closed; the next start does: {}", e.getMessage());
    }
  }
}
