package org.keywell.signing.pool;

import java.util.List;
import java.util.function.Function;
import org.keywell.keypool.PoolConfig;
import org.keywell.keypool.PooledHsm;
import org.keywell.keypool.store.WrappedKeyStore;
import org.keywell.settings.StartRefusedException;
import org.keywell.signing.hsm.OpenDevice;

/** Converts devices for the pools. */
public final class PooledDevices {

  private PooledDevices() {}

  /**
   * Returns each with its store.
   *
   * @param stores returns the store that a device claims from: that of its wrapping keys
   * @throws StartRefusedException if one does not make a kind of key that has a pool
   */
  public static List<PooledHsm> of(
      PoolConfig config, List<OpenDevice> devices, Function<OpenDevice, WrappedKeyStore> stores) {
    return devices.stream().map(device -> of(config, device, stores.apply(device))).toList();
  }

  /**
   * Returns a device that comes after the start, with its store.
   *
   * @throws StartRefusedException as {@link #of} and {@link TokenMarks#ofLate}
   */
  public static PooledHsm late(
      PoolConfig config, OpenDevice device, WrappedKeyStores stores, TokenMarks marks) {
    return of(config, device, stores.of(device.hsm(), marks.ofLate(device)));
  }

  private static PooledHsm of(PoolConfig config, OpenDevice device, WrappedKeyStore store) {
    config
        .lacking(device.hsm())
        .ifPresent(lacking -> {
          throw new StartRefusedException(
              "keywell.pool.specs does not fit HSM %s: %s".formatted(device.name(), lacking));
        });
    return new PooledHsm(
        device.name(),
        device.role(),
        device.weight(),
        device.unwrapSessions(),
        device.hsm(),
        store);
  }
}
