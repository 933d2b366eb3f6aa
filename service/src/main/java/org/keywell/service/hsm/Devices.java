package org.keywell.service.hsm;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.keywell.service.settings.DeviceProperties;

/** The HSMs of this instance, open, in the order of the settings. At least one signs. */
public final class Devices implements AutoCloseable {

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
      return new Devices(open);
    } catch (RuntimeException e) {
      close(open);
      throw e;
    }
  }

  public List<OpenDevice> all() {
    return all;
  }

  public List<OpenDevice> signing() {
    return all.stream().filter(device -> device.role().signs()).toList();
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
