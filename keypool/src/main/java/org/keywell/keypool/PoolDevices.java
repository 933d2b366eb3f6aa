package org.keywell.keypool;

import java.util.Collections;
import java.util.List;
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

  // Guarded by this, as is what follows; the volatile lists are replaced.
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
    StoredTier tier = tierOf(device);
    tier.add(device.shelves());
    DeviceWorkers added = new DeviceWorkers(device, tier, config, listener, nanoClock, suffix);
    workers = Stream.concat(workers.stream(), Stream.of(added)).toList();
    loaded.add(device);
    if (started) {
      added.start(config.mode());
    }
    return true;
  }

  /** One that has a wrapping key of another device shares the keys under it. */
  private StoredTier tierOf(Device device) {
    List<String> its = device.wrappingKeyIds();
    Optional<StoredTier> shared =
        workers.stream()
            .filter(each -> !Collections.disjoint(each.device().wrappingKeyIds(), its))
            .map(DeviceWorkers::tier)
            .findFirst();
    if (shared.isPresent()) {
      return shared.get();
    }
    StoredTier tier = new StoredTier(device.store(), config, nanoClock);
    tiers = Stream.concat(tiers.stream(), Stream.of(tier)).toList();
    return tier;
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

  /** Returns one for each set of devices that share wrapping keys. */
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
