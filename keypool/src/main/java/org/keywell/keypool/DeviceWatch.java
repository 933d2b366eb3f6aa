package org.keywell.keypool;

import java.time.Duration;
import java.util.List;
import org.keywell.keypool.hsm.Hsm;
import org.keywell.keypool.hsm.HsmException;
import org.keywell.keypool.hsm.HsmException.Reason;
import org.keywell.keypool.hsm.HsmHealth;
import org.keywell.keypool.worker.Worker;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks after a device: once a second, and at once when it loses its sessions. Probes an idle
 * device, since otherwise a failure or a recovery would go unnoticed while nothing is signed and
 * the pool is full. Has a device that is down prove itself until it succeeds. Reopens a device that
 * lost its sessions, its login or its keys, and one whose proofs keep failing: some modules find a
 * token that was away only after {@code C_Finalize}. Also retries keys that were not destroyed,
 * here rather than where requests wait.
 */
final class DeviceWatch implements AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(DeviceWatch.class);

  private static final Duration PACE = Duration.ofSeconds(1);

  private final Device device;
  private final Hsm hsm;
  private final KeyDestroyer destroyer;
  private final Shelves shelves;
  private final PoolListener listener;
  private final Recipient unused;
  private final DeviceCare care;
  private final Worker worker;

  /** Receives the keys that were loaded when an epoch ended. */
  @FunctionalInterface
  interface Recipient {
    /**
     * Puts back keys that died with the epoch.
     *
     * @param keys not leased; only their rows are left, and they may be loaded again
     */
    void putBack(List<LoadedKey> keys);
  }

  /**
   * @param failedProofs proofs that fail in a row before the device is reopened; 0: never
   * @param listener notified of each reopening
   * @param unused gets the keys that an epoch leaves
   * @param suffix of the thread's name
   */
  DeviceWatch(
      Device device, int failedProofs, PoolListener listener, Recipient unused, String suffix) {
    this.device = device;
    this.care = new DeviceCare(failedProofs);
    this.hsm = device.hsm();
    this.destroyer = device.destroyer();
    this.shelves = device.shelves();
    this.listener = listener;
    this.unused = unused;
    this.worker =
        new Worker(
            "keywell-hsm-watch" + suffix,
            () -> {
              look(System.nanoTime());
              return PACE;
            },
            // A step may only have waited for a call, or until a reopening is due.
            () -> hsm.health().state() == HsmHealth.State.UP,
            PACE);
  }

  void start() {
    hsm.onLoss(worker::wake);
    worker.start();
  }

  @Override
  public void close() {
    end(Worker.LONGEST_JOIN);
  }

  /** Asks the thread to end after its current step. */
  void stop() {
    worker.stop();
  }

  /** As {@link #close}. Returns whether the thread has ended in time. */
  boolean end(Duration limit) {
    stop();
    return worker.join(limit);
  }

  /**
   * Retries keys that were not destroyed, and does what the device needs.
   *
   * @throws HsmException if the device fails
   */
  void look(long nowNanos) {
    destroyer.retry();
    switch (care.next(hsm.health(), device.isFull(), nowNanos)) {
      case NOTHING -> {}
      case PROBE -> hsm.probe();
      case PROVE -> prove();
      case REOPEN -> reopen(nowNanos);
    }
  }

  private void prove() {
    boolean answers = false;
    try {
      hsm.probe();
      answers = true;
      // Proofs must not fill a device that destroys nothing; the retries show when it does again.
      if (!destroyer.atLimit()) {
        hsm.prove(destroyer::destroy);
      }
      care.proved();
    } catch (HsmException e) {
      // One that only lacks room, or does not generate, keeps the keys that it can sign with.
      boolean signs = answers && !hsm.failsToSign();
      if (!signs && e.reason() != Reason.FULL && care.notProved()) {
        hsm.lose(
            hsm.epoch(),
            "%d proofs in a row failed (keywell.pool.failed-proofs), the last one: %s"
                .formatted(care.proofsFailed(), e.getMessage()));
      }
      throw e;
    }
  }

  private void reopen(long nowNanos) {
    care.reopening(nowNanos);
    List<LoadedKey> left = shelves.endEpoch(hsm.epoch());
    boolean open = false;
    try {
      hsm.reopen();
      open = true;
      care.reopened();
      log.info("the HSM is open again; keys that were loaded: {}", left.size());
    } finally {
      if (!open) {
        care.notReopened();
      }
      long took = System.nanoTime() - nowNanos;
      // INVARIANT: the device accepts no handle to these keys any longer, and none was leased. So
      // none has signed, and none can unless it is loaded again.
      unused.putBack(left);
      listener.reopened(open, took);
    }
  }
}
