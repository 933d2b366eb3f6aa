package org.keywell.operations.health;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.keywell.keypool.KeyPools;
import org.keywell.keypool.hsm.HsmHealth;
import org.keywell.keypool.hsm.HsmHealth.Failure;
import org.keywell.settings.DeviceProperties;
import org.keywell.signing.hsm.LeftOut;

/** The state of each configured device: those that the pools use, and those missing. */
public final class DeviceHealths {

  private static final String MISSING = "it was not there at the start, and is looked for";

  private final KeyPools pools;
  private final Supplier<List<DeviceProperties>> missing;
  private final Function<String, Optional<LeftOut>> leftOut;
  private final long beganNanos;

  /**
   * @param missing those that are not open
   * @param leftOut by a device's name, why it is not used although reachable
   * @param nanoClock elapsed time, as {@link System#nanoTime}
   */
  public DeviceHealths(
      KeyPools pools,
      Supplier<List<DeviceProperties>> missing,
      Function<String, Optional<LeftOut>> leftOut,
      LongSupplier nanoClock) {
    this.pools = pools;
    this.missing = missing;
    this.leftOut = leftOut;
    this.beganNanos = nanoClock.getAsLong();
  }

  /** Calls no device. */
  public List<DeviceHealth> all() {
    return Stream.concat(
            pools.devices().stream()
                .map(device ->
                    new DeviceHealth(device.name(), device.role().signs(), device.health())),
            missing.get().stream()
                .map(device ->
                    new DeviceHealth(
                        device.name(), device.role().signs(), ofMissing(device.name()))))
        .toList();
  }

  /** Whether a device is reachable but not used: it waits for an operator. */
  public boolean isLeftOut(String device) {
    return leftOut.apply(device).isPresent();
  }

  private HsmHealth ofMissing(String device) {
    Failure failure =
        leftOut
            .apply(device)
            .map(out -> new Failure(out.why(), 1, out.sinceNanos(), out.sinceNanos()))
            .orElseGet(() -> new Failure(MISSING, 1, beganNanos, beganNanos));
    return new HsmHealth(
        HsmHealth.State.DOWN,
        false,
        false,
        beganNanos,
        Optional.of(failure),
        Optional.empty(),
        0,
        Duration.ZERO);
  }

  /** Returns that of one device; empty while it joins. */
  public Optional<HsmHealth> of(String device) {
    return all().stream()
        .filter(each -> each.name().equals(device))
        .map(DeviceHealth::health)
        .findFirst();
  }
}
