package org.keywell.service.hsm;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.keywell.keypool.hsm.HsmException;
import org.keywell.service.settings.DeviceProperties;
import org.keywell.service.start.NotThereYetException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The HSMs of this instance, in the order of the settings. One that signs is open; others that are
 * not there at the start are opened when they have come.
 *
 * <p>Thread-safe.
 */
public final class Devices implements AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(Devices.class);

  private final List<DeviceProperties> settings;
  private final Function<DeviceProperties, OpenDevice> opener;
  private final Map<String, OpenDevice> open = new ConcurrentHashMap<>();

  /**
   * @param opener throws {@link NotThereYetException} for a device that is to be asked again
   */
  Devices(List<DeviceProperties> settings, Function<DeviceProperties, OpenDevice> opener) {
    this.settings = List.copyOf(settings);
    this.opener = opener;
  }

  /**
   * Opens those that are there.
   *
   * @throws NotThereYetException if none of them signs
   * @throws HsmException if one is there and cannot be used
   */
  Devices requireOneThatSigns() {
    NotThereYetException away = null;
    for (DeviceProperties device : missing()) {
      try {
        open(device, _ -> {});
      } catch (NotThereYetException e) {
        away = e;
      }
    }
    if (away != null && signing().isEmpty()) {
      throw away;
    }
    for (DeviceProperties device : missing()) {
      log.warn("device {} is not there; the start goes on without it", device.name());
    }
    warnOfSeveralPools(all());
    return this;
  }

  /**
   * Opens one that is missing.
   *
   * @param use is given it; if that throws, the device is closed again
   * @throws NotThereYetException if it is not there yet
   * @throws HsmException if it cannot be used
   */
  public void open(DeviceProperties device, Consumer<OpenDevice> use) {
    OpenDevice opened = opener.apply(device);
    boolean used = false;
    try {
      use.accept(opened);
      open.put(device.name(), opened);
      used = true;
    } finally {
      if (!used) {
        opened.pkcs11().close();
      }
    }
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

  /** Those that are not open. */
  public List<DeviceProperties> missing() {
    return settings.stream().filter(device -> !open.containsKey(device.name())).toList();
  }

  /** Those that are open. */
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
   * For what is to be done with every one of them.
   *
   * @throws NotThereYetException if one is missing
   */
  public void requireAll() {
    for (DeviceProperties device : missing()) {
      throw new NotThereYetException("device " + device.name() + " cannot be reached");
    }
  }

  /** Closes all; with their sessions go the keys that are loaded. */
  @Override
  public void close() {
    all().reversed().forEach(device -> device.pkcs11().close());
  }
}
