package org.keywell.signing.lifecycle;

import java.time.Duration;
import org.keywell.keypool.KeyPools;
import org.keywell.signing.ca.IssuingCas;
import org.keywell.signing.database.DatabaseClock;
import org.keywell.signing.database.DatabaseServer;
import org.keywell.signing.database.InstanceLock;
import org.keywell.signing.database.RecordMonths;
import org.keywell.signing.log.Witnesses;
import org.keywell.signing.pool.IdlenessWatch;
import org.keywell.signing.pool.LedgerWatch;
import org.keywell.signing.pool.PoolDepths;
import org.keywell.signing.pool.WrappingKeyWatch;
import org.keywell.signing.record.UsedProofs;
import org.keywell.signing.revocation.ListPublisher;
import org.keywell.signing.sign.Admission;
import org.keywell.signing.sign.HangWatch;
import org.keywell.signing.stamp.TimeStamps;
import org.keywell.signing.start.ExitCode;
import org.springframework.stereotype.Component;

/**
 * The threads that watch instances, CAs, pools, wrapping keys, used tickets, months, late HSMs,
 * hanging calls, the clock of time stamps, and the process of an embedded database, and those that
 * have the log witnessed and lists of revoked certificates made; the pools watch open devices.
 */
@Component
final class Watches {

  private final DatabaseServer server;
  private final InstanceWatch instance;
  private final AdoptionWatch adoption;
  private final IssuingCas cas;
  private final LateDevices lateDevices;
  private final PoolDepths depths;
  private final LedgerWatch ledger;
  private final IdlenessWatch idleness;
  private final WrappingKeyWatch wrappingKeys;
  private final UsedProofs usedProofs;
  private final Witnesses witnesses;
  private final RecordMonths months;
  private final TimeStamps stamps;
  private final ListPublisher lists;
  private final HangWatch hangs;

  Watches(
      DatabaseServer server,
      InstanceLock lock,
      DatabaseClock clock,
      Admission admission,
      KeyPools pools,
      AdoptionWatch adoption,
      IssuingCas cas,
      LateDevices lateDevices,
      PoolDepths depths,
      LedgerWatch ledger,
      IdlenessWatch idleness,
      WrappingKeyWatch wrappingKeys,
      UsedProofs usedProofs,
      Witnesses witnesses,
      RecordMonths months,
      TimeStamps stamps,
      ListPublisher lists,
      HangWatch hangs) {
    this.server = server;
    this.instance = new InstanceWatch(lock, clock, admission::suspend, pools);
    this.adoption = adoption;
    this.cas = cas;
    this.lateDevices = lateDevices;
    this.depths = depths;
    this.ledger = ledger;
    this.idleness = idleness;
    this.wrappingKeys = wrappingKeys;
    this.usedProofs = usedProofs;
    this.witnesses = witnesses;
    this.months = months;
    this.stamps = stamps;
    this.lists = lists;
    this.hangs = hangs;
  }

  /** To be called before the pools load a key. */
  void beforeStart() {
    ledger.beforeStart();
  }

  void start() {
    server.onUnexpectedEnd(Watches::endTheProcess);
    instance.start();
    adoption.start();
    cas.start();
    lateDevices.start();
    depths.start();
    ledger.start();
    idleness.start();
    wrappingKeys.start();
    usedProofs.start();
    witnesses.start();
    months.start();
    stamps.start();
    lists.start();
    hangs.start(Watches::endTheProcess);
  }

  /**
   * Ends all but the watch for hangs.
   *
   * @param limit how long to wait for each of them, as its calls may hang
   */
  void stop(Duration limit) {
    instance.end(limit);
    adoption.end(limit);
    lateDevices.end(limit);
    cas.end(limit);
    depths.end(limit);
    ledger.end(limit);
    idleness.end(limit);
    boolean _ = wrappingKeys.end(limit);
    usedProofs.end(limit);
    boolean _ = witnesses.end(limit);
    months.end(limit);
    boolean _ = stamps.end(limit);
    boolean _ = lists.end(limit);
  }

  /** Ends the watch for requests whose calls hang; after the last request. */
  void stopForHangs(Duration limit) {
    hangs.end(limit);
  }

  /** Not on the watch's own thread, which the stop waits for. */
  private static void endTheProcess() {
    Thread.ofPlatform().daemon().name("keywell-exit").start(() -> System.exit(ExitCode.HUNG));
  }
}
