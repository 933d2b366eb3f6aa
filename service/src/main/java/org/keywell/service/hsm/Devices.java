package org.keywell.service.hsm;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.keywell.service.settings.DeviceProperties;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The HSMs of this instance, open, in the order of the settings. At least one signs. */
public final class Devices implements AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(Devices.class);

  private final List<OpenDevice> all;

  private Devices(List<OpenDevice> all) {
    this.all = List.copyOf(all);
  }

  /** Opens one after the other; if one cannot be, those before it are closed. */
  static Devices open(
      List<DeviceProperties> devices, Function<DeviceProperties, OpenDevice> opener) {
    List<OpenDevice> open = new ArrayList<>();
    try {
      for (DeviceProperties device : devices) {
        open.add(opener.apply(device));
      }
      warnOfSeveralPools(open);
      return new Devices(open);
    } catch (RuntimeException e) {
      close(open);
      throw e;
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

  public List<OpenDevice> all() {
    return all;
  }

  public List<OpenDevice> signing() {
    return all.stream().filter(device -> device.role().signs()).toList();
  }

  public List<OpenDevice> generating() {
    return all.stream().filter(device -> device.role().generates()).toList();
  }

  public OpenDevice first() {
    return all.getFirst();
  }

  /** Closes all; with their sessions go the keys that are loaded. */
  @Override
  public void close() {
    close(all);
  }

  private static void close(List<OpenDevice> devices) {
    devices.reversed().forEach(device -> device.pkcs11().close());
  }
}
