package org.keywell.keypool;

import java.time.Duration;
import java.util.List;
import org.keywell.keypool.hsm.Hsm;
import org.keywell.keypool.hsm.HsmException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks after a device: once a second, and at once when it lost its sessions. Asks an idle one how
 * it is, since nobody would notice that it failed, or that it recovered, where nothing is signed
 * and the pool is full; has one that is down prove itself, until it does; opens one anew that lost
 * its sessions, its login or its keys. Once a second, too, keys are tried again that were not
 * destroyed: here rather than where requests wait.
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
  private final DeviceCare care = new DeviceCare();
  private final Worker worker;

  /** Gets the keys that were loaded when an epoch ended. */
  @FunctionalInterface
  interface Recipient {
    /**
     * They died with the epoch.
     *
     * @param keys none of which has been leased; what is left of each is its row, and that they may
     *     be loaded once more
     */
    void putBack(List<LoadedKey> keys);
  }

  /**
   * @param listener is told of each reopening
   * @param unused gets the keys that an epoch leaves
   * @param suffix of the thread's name
   */
  DeviceWatch(Device device, PoolListener listener, Recipient unused, String suffix) {
    this.device = device;
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

  /** Asks it to end after what it does. */
  void stop() {
    worker.stop();
  }

  /** As {@link #close}. Returns whether it has ended in time. */
  boolean end(Duration limit) {
    stop();
    return worker.join(limit);
  }

  /**
   * Tries keys again that were not destroyed, and does what the device needs.
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
    hsm.probe();
    // A device that destroys nothing is not filled with the keys of proofs; the retries tell.
    if (!destroyer.atLimit()) {
      hsm.prove(destroyer::destroy);
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
      // INVARIANT: no handle names these keys any more that the device would accept, and none was
      // leased, so none of them has signed, nor will by this life of theirs.
      unused.putBack(left);
      listener.reopened(open, took);
    }
  }
}
