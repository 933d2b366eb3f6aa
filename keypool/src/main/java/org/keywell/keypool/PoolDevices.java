package org.keywell.keypool;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.stream.Stream;

/** The devices of the pools, and the workers at each. Thread-safe. */
final class PoolDevices {

  private final PoolConfig config;
  private final SigningActivity requests;
  private final Function<PooledHsm, Optional<Idleness>> beside;
  private final PoolListener listener;
  private final LongSupplier nanoClock;
  private final ShelfLock lock = new ShelfLock();
  private final LoadedTier loaded;

  /** By wrapping key. Guarded by this, as are the next fields; the volatile lists are replaced. */
  private final Map<String, StoredTier> byWrappingKey = new LinkedHashMap<>();

  private volatile List<StoredTier> tiers = List.of();
  private volatile List<DeviceWorkers> workers = List.of();
  private boolean started;
  private boolean complete;

  /**
   * @param requests those that may need any device that signs
   * @param beside returns what else tells when keys may be generated in a device
   */
  PoolDevices(
      PoolConfig config,
      SigningActivity requests,
      Function<PooledHsm, Optional<Idleness>> beside,
      PoolListener listener,
      LongSupplier nanoClock) {
    this.config = config;
    this.beside = beside;
    this.requests = requests;
    this.listener = listener;
    this.nanoClock = nanoClock;
    this.loaded = new LoadedTier(lock.lock(), listener);
  }

  /**
   * Adds a device; starts its threads if those of the others have started.
   *
   * @param suffix of its threads' names
   * @return false after {@link #noMore}: it was not added
   */
  synchronized boolean add(PooledHsm hsm, String suffix) {
    if (complete) {
      return false;
    }
    Device device = new Device(hsm, config, lock, idlenessOf(hsm), listener, nanoClock);
    StoredTier tier =
        byWrappingKey.computeIfAbsent(
            device.wrappingKeyId(), _ -> new StoredTier(device.store(), config, nanoClock));
    tier.add(device.shelves());
    DeviceWorkers added = new DeviceWorkers(device, tier, config, listener, nanoClock, suffix);
    tiers = List.copyOf(byWrappingKey.values());
    workers = Stream.concat(workers.stream(), Stream.of(added)).toList();
    loaded.add(device);
    if (started) {
      added.start(config.mode());
    }
    return true;
  }

  /** In a device that does not sign, no request blocks generation. */
  private Idleness idlenessOf(PooledHsm hsm) {
    return beside
        .apply(hsm)
        .orElseGet(() ->
            new Idleness(
                hsm.role().signs() ? requests : new SigningActivity(config.idleAfter(), nanoClock),
                nanoClock));
  }

  /** Returns that of the device in the same token, if there is one. */
  Optional<Idleness> idlenessIn(String tokenId) {
    return workers.stream()
        .map(DeviceWorkers::device)
        .filter(device -> device.tokenId().equals(tokenId))
        .map(Device::idleness)
        .findFirst();
  }

  synchronized void start() {
    started = true;
    workers.forEach(device -> device.start(config.mode()));
  }

  /** Stops accepting devices. */
  synchronized void noMore() {
    complete = true;
  }

  /** Returns them in the order of {@link #add}. */
  List<DeviceWorkers> workers() {
    return workers;
  }

  /** Returns one for each wrapping key. */
  List<StoredTier> tiers() {
    return tiers;
  }

  /** See {@link KeyPools#onKeys}. */
  void onKeys(Runnable listener) {
    lock.onChange(listener);
  }

  LoadedTier loaded() {
    return loaded;
  }
}
