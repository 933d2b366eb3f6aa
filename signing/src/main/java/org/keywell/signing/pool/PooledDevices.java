package org.keywell.signing.pool;

import java.util.List;
import java.util.function.Function;
import org.keywell.keypool.PooledHsm;
import org.keywell.keypool.store.WrappedKeyStore;
import org.keywell.signing.hsm.OpenDevice;

/** Converts devices for the pools. */
public final class PooledDevices {

  private PooledDevices() {}

  /**
   * Returns each with its store.
   *
   * @param stores returns the store that a device claims from: that of its wrapping keys
   */
  public static List<PooledHsm> of(
      List<OpenDevice> devices, Function<OpenDevice, WrappedKeyStore> stores) {
    return devices.stream().map(device -> of(device, stores.apply(device))).toList();
  }

  /**
   * Returns a device that comes after the start, with its store.
   *
   * @throws org.keywell.settings.StartRefusedException as {@link TokenMarks#ofLate}
   */
  public static PooledHsm late(OpenDevice device, WrappedKeyStores stores, TokenMarks marks) {
    return of(device, stores.of(device.hsm(), marks.ofLate(device)));
  }

  private static PooledHsm of(OpenDevice device, WrappedKeyStore store) {
    return new PooledHsm(
        device.name(),
        device.role(),
        device.weight(),
        device.unwrapSessions(),
        device.hsm(),
        store);
  }
}
