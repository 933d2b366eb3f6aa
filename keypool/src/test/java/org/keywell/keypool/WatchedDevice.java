package org.keywell.keypool;

import java.time.Duration;
import java.util.List;
import org.keywell.keypool.hsm.Hsm;
import org.keywell.keypool.store.InMemoryWrappedKeyStore;

/** A device with its destroyer and its watch, but no thread: for tests of real devices. */
public final class WatchedDevice {

  static final int FAILED_PROOFS = 10;

  private final Device device;
  private final DeviceWatch watch;

  public WatchedDevice(Hsm hsm, int maxOrphans) {
    device =
        new Device(
            PooledHsm.sole(hsm, new InMemoryWrappedKeyStore()),
            new PoolConfig(PoolConfig.Mode.ON_THE_FLY, List.of(), 1, Duration.ZERO, maxOrphans),
            new ShelfLock(),
            new Idleness(new SigningActivity(Duration.ZERO, System::nanoTime), System::nanoTime),
            PoolListener.NONE,
            System::nanoTime);
    watch = new DeviceWatch(device, FAILED_PROOFS, PoolListener.NONE, keys -> {}, "");
  }

  /** What the watch's thread does once a second. */
  public void look(long nowNanos) {
    watch.look(nowNanos);
  }

  public int retry() {
    return device.destroyer().retry();
  }

  /** How many keys were not destroyed. */
  public int orphans() {
    return device.destroyer().count();
  }
}
