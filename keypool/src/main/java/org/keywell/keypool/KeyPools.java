package org.keywell.keypool;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.ToIntFunction;
import org.keywell.keypool.hsm.HsmException;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.keypool.store.StoreException;
import org.keywell.keypool.worker.Worker;

/**
 * The key pools, one for each kind of key. Keys are generated while devices are idle and stored,
 * loaded when few are left, and leased to one request each. This class is the entry point; the
 * parts behind it, and which thread does what, are internal.
 *
 * <p>Lifecycle: {@link #open}, {@link #forfeitLeftovers}, {@link #start}, use, {@link
 * #stopGenerating}, the end of the last lease, {@link #unload}, and {@link #forfeitLeftovers} if
 * leases are not accounted for. {@link #close} is for callers without leases to wait for. The
 * caller owns devices and stores, and closes them afterwards.
 *
 * <p>Thread-safe.
 */
public final class KeyPools implements AutoCloseable {

  /** A claim between the looks at the two tiers hides its keys from both: look again. */
  private static final int MAX_LOOKS = 3;

  /**
   * All keys of one kind that no request has.
   *
   * @param stored keys in the store that can be claimed
   * @param outside keys that are loaded or on their way
   */
  public record Count(long stored, int outside) {
    public long all() {
      return stored + outside;
    }
  }

  private final PoolConfig config;
  private final PoolListener listener;
  private final LongSupplier nanoClock;
  private final SigningActivity requests;
  private final PoolDevices devices;

  private KeyPools(
      PoolConfig config,
      Function<PooledHsm, Optional<Idleness>> beside,
      PoolListener listener,
      LongSupplier nanoClock) {
    this.config = config;
    this.listener = listener;
    this.nanoClock = nanoClock;
    this.requests = new SigningActivity(config.idleAfter(), nanoClock);
    this.devices = new PoolDevices(config, requests, beside, listener, nanoClock);
  }

  /**
   * Creates the pools; nothing works before {@link #start}.
   *
   * @param hsms the devices, at least one, with distinct names
   * @param listener notified of what becomes of keys
   * @param nanoClock elapsed time, as {@link System#nanoTime}
   */
  public static KeyPools open(
      PoolConfig config, List<PooledHsm> hsms, PoolListener listener, LongSupplier nanoClock) {
    KeyPools pools = new KeyPools(config, _ -> Optional.empty(), listener, nanoClock);
    String suffix = hsms.size() == 1 ? "" : "-%s";
    hsms.forEach(hsm -> pools.devices.add(hsm, suffix.formatted(hsm.name())));
    return pools;
  }

  /**
   * Creates pools of keys for another purpose, in the same tokens. They generate only while these
   * pools may.
   *
   * @param hsm the device, opened with another wrapping key; its name tells its threads apart
   */
  public KeyPools beside(PoolConfig other, PooledHsm hsm, PoolListener otherListener) {
    KeyPools pools =
        new KeyPools(
            other, each -> devices.idlenessIn(each.hsm().tokenId()), otherListener, nanoClock);
    boolean _ = pools.add(hsm);
    return pools;
  }

  /**
   * Adds a device that was not there when the pools were opened.
   *
   * @return whether it was added; false if the pools are being stopped
   */
  public boolean add(PooledHsm hsm) {
    return devices.add(hsm, "-" + hsm.name());
  }

  /**
   * Forfeits the keys that this instance claimed and never accounted for: before the start, what a
   * crash left; after {@link #unload}, those whose requests' outcomes could not be recorded.
   *
   * @return how many were forfeited
   * @throws StoreException if the store fails
   */
  public int forfeitLeftovers() {
    int forfeited = devices.tiers().getFirst().store().forfeitLeftovers();
    listener.forfeited(forfeited);
    return forfeited;
  }

  /**
   * Destroys loaded keys that no longer belong to this instance, because another took it for gone
   * while it was cut off from the store.
   *
   * @return how many there were
   * @throws StoreException if the store fails
   */
  public int destroyDisowned() {
    return sum(DeviceWorkers::destroyDisowned);
  }

  /** Starts the threads that the mode requires. Call it once. */
  public void start() {
    devices.start();
  }

  /**
   * Starts no more keys and waits for those being generated: the first step of a stop, while leases
   * are still at work. Loading continues for requests that wait for a key.
   */
  public void stopGenerating() {
    stopGenerating(Worker.LONGEST_JOIN);
  }

  /**
   * As {@link #stopGenerating()}.
   *
   * @param limit how long to wait for a device, which may hang; for watch and generators each
   * @return whether all of them have ended
   */
  public boolean stopGenerating(Duration limit) {
    devices.noMore();
    workers().forEach(DeviceWorkers::askToStopGenerating);
    boolean ended = true;
    for (DeviceWorkers device : workers()) {
      ended &= device.stopGenerating(limit);
    }
    devices.tiers().forEach(tier -> tier.supply().close());
    return ended;
  }

  /**
   * Ends the loaders, destroys each loaded key and, if it is certainly gone, puts it back into the
   * store: the last step of a stop, after the last lease has ended. Leases find the pools empty
   * from then on.
   *
   * @return how many keys were put back
   * @throws StoreException if the store fails; the next start forfeits the keys
   */
  public int unload() {
    return unload(Worker.LONGEST_JOIN).orElse(0);
  }

  /**
   * As {@link #unload()}. Skips a device that hangs or whose keys are still leased.
   *
   * @param limit how long to wait for each device, which may hang
   * @return empty if none could be unloaded
   */
  public OptionalInt unload(Duration limit) {
    return workers().stream()
        .map(device -> device.unload(limit))
        .flatMapToInt(OptionalInt::stream)
        .reduce(Integer::sum);
  }

  /** Takes both steps of a stop. */
  @Override
  public void close() {
    stopGenerating();
    unload();
  }

  /** Returns the bounds of the pools, as configured. */
  public PoolConfig config() {
    return config;
  }

  /** Returns the devices, in the order in which they were given. */
  public List<Device> devices() {
    return workers().stream().map(DeviceWorkers::device).toList();
  }

  /** Whether there is a pool of this kind of key. */
  public boolean serves(KeySpec spec) {
    return config.specs().contains(spec);
  }

  /**
   * Leases the oldest loaded key of a working device. Does not wait: {@link #outlook} shows whether
   * another try makes sense, and {@link #onKeys} when.
   *
   * @return empty if no working device has a loaded key
   * @throws IllegalArgumentException if this kind has no pool
   */
  public Optional<KeyLease> lease(KeySpec spec) {
    return devices.loaded().lease(spec);
  }

  /**
   * Whether a request can have a loaded key of this kind, now or soon. Does no I/O.
   *
   * @throws IllegalArgumentException if this kind has no pool
   */
  public KeyOutlook outlook(KeySpec spec) {
    return devices.loaded().outlook(spec);
  }

  /**
   * Sets the one listener that runs when {@link #lease} may find a new key, or when the end of a
   * load may have changed the {@link #outlook} to {@link KeyOutlook#NONE}; not when devices fail.
   * It runs on the thread that causes this, so it must be quick; it may ask for a lease.
   */
  public void onKeys(Runnable listener) {
    devices.onKeys(listener);
  }

  /** Reports a request that ends, or gets a generated key, as none of this kind was loaded. */
  public void missed(KeySpec spec) {
    listener.missed(spec);
  }

  /**
   * Generates a key for one request, as the traditional system does (thesis section 1.9).
   *
   * @throws HsmException if the device fails, or no working device both generates and signs
   */
  public KeyLease generate(KeySpec spec) {
    return devices.loaded().next().generate(spec);
  }

  /**
   * Reports a request. Until {@link #requestEnded}, it takes precedence over generation in every
   * device that may give it a key.
   */
  public void requestBegan() {
    requests.began();
  }

  /**
   * Reports a request as done with the device, regardless of its outcome; once for each that began.
   */
  public void requestEnded() {
    requests.ended();
  }

  /** Whether no request is in progress, and none was for {@code idle-after}. */
  public boolean isIdle() {
    return requests.isIdle();
  }

  /** Whether every device is known to fail, so that a key leased now would be spent. */
  public boolean failsToSign() {
    return devices.loaded().failsToSign();
  }

  /**
   * Whether it is known that no request can get a key of this kind, since none is loaded and no
   * working device has room for one. Calls no device.
   *
   * @param loaded whether keys are loaded for requests
   * @param made whether keys are generated for requests
   * @throws IllegalArgumentException if this kind has no pool
   */
  public boolean isFullFor(KeySpec spec, boolean loaded, boolean made) {
    return devices.loaded().isFullFor(spec, loaded, made);
  }

  /** Returns the number of claims so far; if it differs between two looks, keys moved. */
  public long claims() {
    return devices().stream().mapToLong(device -> device.loading().claims()).sum();
  }

  /** Returns how many keys are live because their devices did not destroy them. */
  public int orphans() {
    return devices().stream().mapToInt(Device::orphans).sum();
  }

  /**
   * Whether orphans in every working device have reached {@code max-orphans}, so that no more keys
   * may be used or generated.
   */
  public boolean atOrphanLimit() {
    return devices.loaded().atOrphanLimit();
  }

  /**
   * Returns how many keys are loaded, leased and on their way, in all devices. Does no I/O.
   *
   * @throws IllegalArgumentException if this kind has no pool
   */
  public PoolDepth depth(KeySpec spec) {
    return devices().stream()
        .map(device -> device.depth(spec))
        .reduce(PoolDepth::plus)
        .orElseThrow();
  }

  /**
   * Counts the keys of one kind in both tiers, each once even if keys move meanwhile.
   *
   * @throws StoreException if the store fails
   */
  public Count count(KeySpec spec) {
    long inStore = 0;
    int outside = 0;
    long claims = -1;
    for (int look = 0; look < MAX_LOOKS && claims != claims(); look++) {
      claims = claims();
      outside = depth(spec).free();
      inStore = devices.tiers().stream().mapToLong(tier -> tier.store().count(spec)).sum();
    }
    return new Count(inStore, outside);
  }

  /** Returns how many keys of this kind were generated and stored since the start. */
  public long generated(KeySpec spec) {
    return devices.tiers().stream().mapToLong(tier -> tier.supply().generated(spec)).sum();
  }

  /** Returns how many keys of this kind were leased since the start and not returned unused. */
  public long leased(KeySpec spec) {
    return devices().stream().mapToLong(device -> device.shelves().leased(spec)).sum();
  }

  /** Returns how many generator threads are in this state. */
  public int generatorThreads(GeneratorState state) {
    return sum(device -> device.generatorThreads(state));
  }

  /** Whether a generator thread has ended without being asked to. */
  public boolean isGeneratorBroken() {
    return workers().stream().anyMatch(DeviceWorkers::isGeneratorBroken);
  }

  /** Whether a loader thread has ended without being asked to. */
  public boolean isLoaderBroken() {
    return workers().stream().anyMatch(DeviceWorkers::isLoaderBroken);
  }

  /** Returns the workers of the devices, in the same order. */
  List<DeviceWorkers> workers() {
    return devices.workers();
  }

  private int sum(ToIntFunction<DeviceWorkers> figure) {
    return workers().stream().mapToInt(figure).sum();
  }
}
