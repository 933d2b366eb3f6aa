package org.keywell.keypool;

import org.keywell.keypool.hsm.Hsm;

/** A device with its destroyer and its watch, but no thread: for tests of real devices. */
public final class WatchedDevice {

  private final KeyDestroyer destroyer;
  private final DeviceWatch watch;

  public WatchedDevice(Hsm hsm, int maxOrphans) {
    destroyer = new KeyDestroyer(hsm, maxOrphans, PoolListener.NONE);
    watch = new DeviceWatch(hsm, destroyer);
  }

  /** What the watch's thread does once a second. */
  public void look(long nowNanos) {
    watch.look(nowNanos);
  }

  public int retry() {
    return destroyer.retry();
  }

  /** How many keys were not destroyed. */
  public int orphans() {
    return destroyer.count();
  }
}
