package org.keywell.signing.hsm;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.keywell.keypool.hsm.HsmException;
import org.keywell.settings.DeviceProperties;
import org.keywell.settings.StartRefusedException;
import org.keywell.signing.start.NotThereYetException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The HSMs of this instance, in the order of the settings. One that signs is open; others that are
 * missing at the start are opened when they appear. Unusable ones are left out.
 *
 * <p>Thread-safe.
 */
public final class Devices implements AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(Devices.class);

  private final List<DeviceProperties> settings;
  private final Function<DeviceProperties, OpenDevice> opener;
  private final Map<String, OpenDevice> open = new ConcurrentHashMap<>();
  private final Map<String, LeftOut> leftOut = new ConcurrentHashMap<>();

  /**
   * @param opener throws {@link NotThereYetException} for a device to be retried
   */
  Devices(List<DeviceProperties> settings, Function<DeviceProperties, OpenDevice> opener) {
    this.settings = List.copyOf(settings);
    this.opener = opener;
  }

  /**
   * Opens those that are there. If another one signs, unusable ones are left out.
   *
   * @throws NotThereYetException if none of them signs, and a missing one may
   * @throws HsmException if none of them signs, since one is unusable
   */
  Devices requireOneThatSigns() {
    NotThereYetException away = null;
    HsmException unusable = null;
    for (DeviceProperties device : missing()) {
      if (isGivenUp(device)) {
        continue;
      }
      try {
        open(device, _ -> {});
      } catch (NotThereYetException e) {
        away = e;
      } catch (HsmException e) {
        requireSeveral(e);
        unusable = unusable == null ? e : unusable;
        leaveOut(device, e);
      }
    }
    if (signing().isEmpty()) {
      throwIfAny(away);
      throwIfAny(unusable);
    }
    for (DeviceProperties device : missing()) {
      if (leftOut(device.name()).isEmpty()) {
        log.warn("device {} is not there; the start goes on without it", device.name());
      }
    }
    warnOfSeveralPools(all());
    return this;
  }

  /** With only one device, the start ends with its failure. */
  private void requireSeveral(RuntimeException failure) {
    if (settings.size() == 1) {
      throw failure;
    }
  }

  private static void throwIfAny(@Nullable RuntimeException failure) {
    if (failure != null) {
      throw failure;
    }
  }

  /**
   * Opens one that is missing.
   *
   * @param use receives it; if that throws, the device is closed again
   * @throws NotThereYetException if it is not there yet
   * @throws HsmException if it is unusable
   */
  public void open(DeviceProperties device, Consumer<OpenDevice> use) {
    OpenDevice opened;
    try {
      opened = opener.apply(device);
    } catch (NotThereYetException e) {
      leftOut.remove(device.name());
      throw e;
    }
    boolean used = false;
    try {
      use.accept(opened);
      open.put(device.name(), opened);
      leftOut.remove(device.name());
      used = true;
    } finally {
      if (!used) {
        opened.pkcs11().close();
      }
    }
  }

  /**
   * Uses each device that signs. An unusable one is closed and left out, as long as one is left.
   *
   * @return the results of the others, in order
   * @throws StartRefusedException if none is usable
   */
  public <T> List<T> useThoseThatSign(Function<OpenDevice, T> use) {
    List<T> used = new ArrayList<>();
    StartRefusedException unusable = null;
    for (OpenDevice device : signing()) {
      try {
        used.add(use.apply(device));
      } catch (StartRefusedException e) {
        requireSeveral(e);
        unusable = unusable == null ? e : unusable;
        open.remove(device.name());
        device.pkcs11().close();
        leaveOut(device.name(), e, true);
      }
    }
    if (used.isEmpty()) {
      throwIfAny(unusable);
    }
    return used;
  }

  /** Notes that a missing device is unusable. A refused PIN is not tried again. */
  public void leaveOut(DeviceProperties device, HsmException why) {
    leaveOut(device.name(), why, why.reason() == HsmException.Reason.LOGIN_REFUSED);
  }

  /** As {@link #leaveOut(DeviceProperties, HsmException)}, but not retried. */
  public void leaveOut(DeviceProperties device, StartRefusedException why) {
    leaveOut(device.name(), why, true);
  }

  /** Logs the same reason only once. */
  private void leaveOut(String device, RuntimeException failure, boolean untilRestart) {
    String why = String.valueOf(failure.getMessage());
    LeftOut before = leftOut.get(device);
    if (before != null && before.why().equals(why)) {
      return;
    }
    leftOut.put(device, new LeftOut(why, untilRestart, System.nanoTime()));
    log.error(
        "device {} cannot be used and is left out{}: {}",
        device,
        untilRestart ? ", until the next start" : "",
        why);
  }

  /** Returns why a reachable device is not used; empty if it is used or missing. */
  public Optional<LeftOut> leftOut(String device) {
    return Optional.ofNullable(leftOut.get(device));
  }

  /** Whether it is not retried before the next start. */
  public boolean isGivenUp(DeviceProperties device) {
    return leftOut(device.name()).filter(LeftOut::untilRestart).isPresent();
  }

  private static void warnOfSeveralPools(List<OpenDevice> devices) {
    Map<String, List<String>> byKey =
        devices.stream()
            .collect(
                Collectors.groupingBy(
                    device -> device.hsm().wrappingKeyId(),
                    TreeMap::new,
                    Collectors.mapping(OpenDevice::name, Collectors.toList())));
    if (byKey.size() > 1) {
      log.warn(
          "the devices do not have one wrapping key, so each has a pool of its own: what one"
              + " stores, only those with its key can load: {}",
          byKey);
    }
  }

  /** Returns the devices not open. */
  public List<DeviceProperties> missing() {
    return settings.stream().filter(device -> !open.containsKey(device.name())).toList();
  }

  /** Returns the open devices. */
  public List<OpenDevice> all() {
    return settings.stream()
        .map(device -> open.get(device.name()))
        .filter(Objects::nonNull)
        .toList();
  }

  public List<OpenDevice> signing() {
    return all().stream().filter(device -> device.role().signs()).toList();
  }

  public List<OpenDevice> generating() {
    return all().stream().filter(device -> device.role().generates()).toList();
  }

  public OpenDevice first() {
    return all().getFirst();
  }

  /**
   * Checks that all are open.
   *
   * @throws NotThereYetException if one is missing
   */
  public void requireAll() {
    for (DeviceProperties device : missing()) {
      throw new NotThereYetException("device " + device.name() + " cannot be reached");
    }
  }

  /** Closes all; the loaded keys end with their sessions. */
  @Override
  public void close() {
    all().reversed().forEach(device -> device.pkcs11().close());
  }
}
