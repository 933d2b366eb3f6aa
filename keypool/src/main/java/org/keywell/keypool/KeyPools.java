package org.keywell.keypool;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.LongSupplier;
import java.util.function.ToIntFunction;
import org.keywell.keypool.hsm.HsmException;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.keypool.store.StoreException;

/**
 * The pools, one for each kind of key: keys are made in the idle time of one or several devices and
 * stored, loaded when few are left, and leased to one request each. This is the way in to all of
 * it; what is behind, and which thread does what, nobody outside knows.
 *
 * <p>The order of a life: {@link #open}, {@link #forfeitLeftovers}, {@link #start}, use, {@link
 * #stopGenerating}, the end of the last lease, {@link #unload}, {@link #forfeitLeftovers} if leases
 * are not accounted for. {@link #close} is for whoever has no leases to wait for. Device and store
 * stay the caller's, to be closed afterwards.
 *
 * <p>Thread-safe.
 */
public final class KeyPools implements AutoCloseable {

  /** A claim between the looks at the two tiers would hide its keys from both. */
  private static final int MAX_LOOKS = 3;

  /**
   * All keys of one kind that no request has.
   *
   * @param stored keys in the store that can be claimed
   * @param outside keys that are loaded, or on their way
   */
  public record Count(long stored, int outside) {
    public long all() {
      return stored + outside;
    }
  }

  private final PoolConfig config;
  private final PoolListener listener;
  private final SigningActivity requests;
  private final PoolDevices devices;

  private KeyPools(PoolConfig config, PoolListener listener, LongSupplier nanoClock) {
    this.config = config;
    this.listener = listener;
    this.requests = new SigningActivity(config.idleAfter(), nanoClock);
    this.devices = new PoolDevices(config, requests, listener, nanoClock);
  }

  /**
   * Puts the pools together; nothing works before {@link #start}.
   *
   * @param hsms the devices, at least one, with names of their own
   * @param listener is told what becomes of keys
   * @param nanoClock elapsed time, as {@link System#nanoTime}
   */
  public static KeyPools open(
      PoolConfig config, List<PooledHsm> hsms, PoolListener listener, LongSupplier nanoClock) {
    KeyPools pools = new KeyPools(config, listener, nanoClock);
    String suffix = hsms.size() == 1 ? "" : "-%s";
    hsms.forEach(hsm -> pools.devices.add(hsm, suffix.formatted(hsm.name())));
    return pools;
  }

  /**
   * Has the pools work with one more device, which was not there when they were opened.
   *
   * @return whether they do: not if they are being stopped
   */
  public boolean add(PooledHsm hsm) {
    return devices.add(hsm, "-" + hsm.name());
  }

  /**
   * Gives up the keys that this instance claimed and never accounted for: before the start, what a
   * crash left; after {@link #unload}, those whose requests' outcomes could not be recorded.
   *
   * @return how many were given up
   * @throws StoreException if the store fails
   */
  public int forfeitLeftovers() {
    int forfeited = devices.tiers().getFirst().store().forfeitLeftovers();
    listener.forfeited(forfeited);
    return forfeited;
  }

  /**
   * Destroys loaded keys that are not this instance's any more, because another took it for gone
   * while it was cut off from the store.
   *
   * @return how many there were
   * @throws StoreException if the store fails
   */
  public int destroyDisowned() {
    return sum(DeviceWorkers::destroyDisowned);
  }

  /** Starts the threads, as the mode says. To be called once. */
  public void start() {
    devices.start();
  }

  /**
   * The first step of the stop, while leases are still at work: no key is begun any more, and those
   * in the making are waited for. Loading goes on, for who waits for a key.
   */
  public void stopGenerating() {
    stopGenerating(Worker.LONGEST_JOIN);
  }

  /**
   * As {@link #stopGenerating()}.
   *
   * @param limit how long to wait for a device, which may hang; for each of two threads
   * @return whether nothing of it is at work any more
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
   * The last step of the stop, after the last lease has ended: ends the loaders, destroys each
   * loaded key and, if that is certain, puts it back into the store. Leases find the pools empty
   * from then on.
   *
   * @return how many keys were put back
   * @throws StoreException if the store fails; the next start forfeits the keys
   */
  public int unload() {
    return unload(Worker.LONGEST_JOIN).orElse(0);
  }

  /**
   * As {@link #unload()}. A device that hangs, or whose keys are leased still, is left alone.
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

  /** Both steps of the stop. */
  @Override
  public void close() {
    stopGenerating();
    unload();
  }

  /** The bounds of the pools, as they were configured. */
  public PoolConfig config() {
    return config;
  }

  /** The devices, in the order in which they were given. */
  public List<Device> devices() {
    return workers().stream().map(DeviceWorkers::device).toList();
  }

  /** Whether there is a pool of this kind of key. */
  public boolean serves(KeySpec spec) {
    return config.specs().contains(spec);
  }

  /**
   * Leases the oldest loaded key of a device that works. Waits for nothing: {@link #outlook} tells
   * whether another look makes sense, and {@link PoolListener} when.
   *
   * @return empty if none is loaded
   * @throws IllegalArgumentException if this kind has no pool
   */
  public Optional<KeyLease> lease(KeySpec spec) {
    return devices.loaded().lease(spec);
  }

  /**
   * Whether a request can have a loaded key of this kind, now or soon. Asks nobody.
   *
   * @throws IllegalArgumentException if this kind has no pool
   */
  public KeyOutlook outlook(KeySpec spec) {
    return devices.loaded().outlook(spec);
  }

  /**
   * Has one listener told whenever {@link #lease} may find a key that it did not find before, or
   * the {@link #outlook} may have become {@link KeyOutlook#NONE} by a load that ended; not when
   * devices fail. It is told on the thread that brings that about, so it must be quick, and may ask
   * for a lease.
   */
  public void onKeys(Runnable listener) {
    devices.onKeys(listener);
  }

  /** A request ends, or has a key made for it, because there was no loaded key of this kind. */
  public void missed(KeySpec spec) {
    listener.missed(spec);
  }

  /**
   * Generates a key for one request, as the traditional system does (thesis section 1.9).
   *
   * @throws HsmException if the device fails, or none works that makes keys and signs
   */
  public KeyLease generate(KeySpec spec) {
    return devices.loaded().next().generate(spec);
  }

  /**
   * A request is at hand, and goes before generating in any device that it may get a key of, until
   * {@link #requestEnded}.
   */
  public void requestBegan() {
    requests.began();
  }

  /** A request is done with the device, whatever its outcome; once for each that began. */
  public void requestEnded() {
    requests.ended();
  }

  /** Whether no request is at hand, and none was for {@code idle-after}. */
  public boolean isIdle() {
    return requests.isIdle();
  }

  /** Whether each device is known to fail, so that a key that is leased now would be spent. */
  public boolean failsToSign() {
    return devices.loaded().failsToSign();
  }

  /**
   * Whether it is known that no request can get a key of this kind, since none is loaded and no
   * device that works has room for one. Asks no device.
   *
   * @param loaded whether keys are loaded for requests
   * @param made whether keys are made for requests
   * @throws IllegalArgumentException if this kind has no pool
   */
  public boolean isFullFor(KeySpec spec, boolean loaded, boolean made) {
    return devices.loaded().isFullFor(spec, loaded, made);
  }

  /** How many claims were made so far: keys moved between two looks if it differs. */
  public long claims() {
    return devices().stream().mapToLong(device -> device.loading().claims()).sum();
  }

  /** How many keys are live because their devices did not destroy them. */
  public int orphans() {
    return devices().stream().mapToInt(Device::orphans).sum();
  }

  /**
   * Whether there are so many in each device that works that no more keys are to be used or made:
   * {@code max-orphans}.
   */
  public boolean atOrphanLimit() {
    return devices.loaded().atOrphanLimit();
  }

  /**
   * How many keys are loaded, leased and on their way, in all devices. Asks nobody.
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
   * Counts the keys of one kind in both tiers, each once although keys move meanwhile.
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

  /** How many keys of this kind were generated and stored since the start. */
  public long generated(KeySpec spec) {
    return devices.tiers().stream().mapToLong(tier -> tier.supply().generated(spec)).sum();
  }

  /** How many keys of this kind were leased since the start and not returned unused. */
  public long leased(KeySpec spec) {
    return devices().stream().mapToLong(device -> device.shelves().leased(spec)).sum();
  }

  /** How many generating threads are in this state. */
  public int generatorThreads(GeneratorState state) {
    return sum(device -> device.generatorThreads(state));
  }

  /** Whether a thread that generates has ended although nobody asked it to. */
  public boolean isGeneratorBroken() {
    return workers().stream().anyMatch(DeviceWorkers::isGeneratorBroken);
  }

  /** Whether the thread that loads has ended although nobody asked it to. */
  public boolean isLoaderBroken() {
    return workers().stream().anyMatch(DeviceWorkers::isLoaderBroken);
  }

  /** Those who work at the devices, in the same order. */
  List<DeviceWorkers> workers() {
    return devices.workers();
  }

  private int sum(ToIntFunction<DeviceWorkers> figure) {
    return workers().stream().mapToInt(figure).sum();
  }
}
