package org.keywell.service.launch;

import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.keywell.keypool.KeyPools;
import org.keywell.keypool.Worker;
import org.keywell.keypool.hsm.HsmException;
import org.keywell.service.ca.CaOpener;
import org.keywell.service.ca.IssuingCas;
import org.keywell.service.hsm.Devices;
import org.keywell.service.hsm.OpenDevice;
import org.keywell.service.pool.PooledDevices;
import org.keywell.service.pool.WrappedKeyStores;
import org.keywell.service.settings.DeviceProperties;
import org.keywell.service.settings.StartRefusedException;
import org.keywell.service.start.NotThereYetException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/** Has HSMs that were not there at the start work with the others once they have come. */
@Component
final class LateDevices {

  private static final Duration EVERY = Duration.ofSeconds(5);
  private static final Logger log = LoggerFactory.getLogger(LateDevices.class);

  private final Devices devices;
  private final CaOpener caOpener;
  private final IssuingCas cas;
  private final KeyPools pools;
  private final WrappedKeyStores stores;

  /** What was said of those that came and cannot be used, by name. */
  private final Map<String, String> told = new HashMap<>();

  /**
   * Names of those that are not tried again: whose PIN was refused, and whose CA cannot be opened,
   * since each attempt leaves a provider of SunPKCS11 in memory.
   */
  private final Set<String> givenUp = new HashSet<>();

  private final Worker worker;

  LateDevices(
      Devices devices, CaOpener caOpener, IssuingCas cas, KeyPools pools, WrappedKeyStores stores) {
    this.devices = devices;
    this.caOpener = caOpener;
    this.cas = cas;
    this.pools = pools;
    this.stores = stores;
    this.worker =
        new Worker(
            "keywell-late-hsms",
            () -> {
              look();
              return EVERY;
            });
  }

  /** Starts the thread, if one is missing. */
  void start() {
    if (!devices.missing().isEmpty()) {
      worker.start();
    }
  }

  /** Returns whether the thread has ended in time. */
  boolean end(Duration limit) {
    worker.stop();
    return worker.join(limit);
  }

  /** Looks once, as the thread does every five seconds. */
  void look() {
    for (DeviceProperties missing : devices.missing()) {
      if (!givenUp.contains(missing.name())) {
        open(missing);
      }
    }
  }

  private void open(DeviceProperties missing) {
    try {
      devices.open(missing, this::join);
    } catch (NotThereYetException e) {
      log.debug("device {}: {}", missing.name(), e.getMessage());
    } catch (HsmException e) {
      if (e.reason() == HsmException.Reason.LOGIN_REFUSED) {
        givenUp.add(missing.name());
      }
      tell(missing.name(), e);
    } catch (StartRefusedException e) {
      givenUp.add(missing.name());
      tell(missing.name(), e);
    }
  }

  /** Once, however often it is tried. */
  private void tell(String device, RuntimeException e) {
    String message = String.valueOf(e.getMessage());
    if (!message.equals(told.put(device, message))) {
      log.error(
          "device {} has come and cannot be used{}: {}",
          device,
          givenUp.contains(device) ? ", nor is it tried again before the next start" : "",
          message);
    }
  }

  /** The CA first: a certificate may be asked for as soon as there are keys. */
  private void join(OpenDevice device) {
    if (device.role().signs()) {
      cas.add(caOpener.open(device));
    }
    if (pools.add(PooledDevices.of(List.of(device), stores::of).getFirst())) {
      log.info("device {} has come, and works with the others", device.name());
    }
  }
}
