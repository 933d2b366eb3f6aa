package org.keywell.service.ops.health;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.keywell.keypool.KeyPools;
import org.keywell.keypool.hsm.HsmHealth;
import org.keywell.keypool.hsm.HsmHealth.Failure;
import org.keywell.service.settings.DeviceProperties;

/**
 * How each device of the settings is: those that the pools work with, and those that are missing.
 */
public final class DeviceHealths {

  private static final String MISSING = "it was not there at the start, and is looked for";

  private final KeyPools pools;
  private final Supplier<List<DeviceProperties>> missing;
  private final HsmHealth ofMissing;

  /**
   * @param missing those that are not open
   * @param nanoClock elapsed time, as {@link System#nanoTime}
   */
  public DeviceHealths(
      KeyPools pools, Supplier<List<DeviceProperties>> missing, LongSupplier nanoClock) {
    this.pools = pools;
    this.missing = missing;
    long now = nanoClock.getAsLong();
    this.ofMissing =
        new HsmHealth(
            HsmHealth.State.DOWN,
            false,
            false,
            now,
            Optional.of(new Failure(MISSING, 1, now, now)),
            Optional.empty(),
            0,
            Duration.ZERO);
  }

  /** Asks no device. */
  public List<DeviceHealth> all() {
    return Stream.concat(
            pools.devices().stream()
                .map(device ->
                    new DeviceHealth(device.name(), device.role().signs(), device.health())),
            missing.get().stream()
                .map(device -> new DeviceHealth(device.name(), device.role().signs(), ofMissing)))
        .toList();
  }

  /** That of one device; empty while it joins. */
  public Optional<HsmHealth> of(String device) {
    return all().stream()
        .filter(each -> each.name().equals(device))
        .map(DeviceHealth::health)
        .findFirst();
  }
}
