package org.keywell.signing.pool;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.keywell.keypool.PooledHsm;
import org.keywell.keypool.store.WrappedKeyStore;
import org.keywell.signing.hsm.OpenDevice;

/** Converts devices for the pools. */
public final class PooledDevices {

  private PooledDevices() {}

  /**
   * Returns each with the store of its wrapping key, shared by those that have the same one.
   *
   * @param stores returns a store by the wrapping key's id; called once for each
   */
  public static List<PooledHsm> of(
      List<OpenDevice> devices, Function<String, WrappedKeyStore> stores) {
    Map<String, WrappedKeyStore> byWrappingKey = new HashMap<>();
    return devices.stream()
        .map(device ->
            new PooledHsm(
                device.name(),
                device.role(),
                device.weight(),
                device.unwrapSessions(),
                device.hsm(),
                byWrappingKey.computeIfAbsent(device.hsm().wrappingKeyId(), stores)))
        .toList();
  }
}
