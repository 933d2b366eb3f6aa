package org.keywell.keypool;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.keywell.keypool.hsm.Hsm;
import org.keywell.keypool.hsm.HsmException;
import org.keywell.keypool.hsm.HsmHealth;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.keypool.store.StoreException;
import org.keywell.keypool.store.WrappedKeyStore;

/**
 * The pools, one for each kind of key: keys are made in the device's idle time and stored, loaded
 * when few are left, and leased to one request each. This is the way in to all of it; what is
 * behind, and which thread does what, nobody outside knows.
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

  /** Longer than the unwrap of a key takes on any device that works. */
  private static final Duration LOADER_STALLS = Duration.ofMillis(500);

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
  private final WrappedKeyStore store;
  private final PoolListener listener;
  private final Device device;
  private final KeySupply supply;
  private final KeyGenerator generator;
  private final GeneratorThreads generators;
  private final KeyLoader loader;
  private final LoaderThread loaderThread;
  private final DeviceWatch watch;
  private final BooleanSupplier loaderStalls;
  private final DisownedKeys disowned;

  private KeyPools(
      PoolConfig config,
      Hsm hsm,
      WrappedKeyStore store,
      PoolListener listener,
      LongSupplier nanoClock) {
    this.config = config;
    this.store = store;
    this.listener = listener;
    this.device = new Device(hsm, config, listener, nanoClock);
    this.supply = new KeySupply(store, config.limits(), config.recount(), nanoClock);
    this.generator = new KeyGenerator(device, store, supply, listener);
    this.generators = new GeneratorThreads(generator, config.generatorThreads());
    this.loader = new KeyLoader(device, store, listener);
    this.loaderThread = new LoaderThread(loader, device.shelves(), nanoClock);
    this.watch = new DeviceWatch(device, listener, this::deviceReopened);
    this.loaderStalls = () -> loader.stallsFor(LOADER_STALLS);
    this.disowned = new DisownedKeys(device, store, listener);
  }

  /**
   * Puts the pools together; nothing works before {@link #start}.
   *
   * @param hsm a device that was proved, with the wrapping key of {@code store}
   * @param listener is told what becomes of keys
   * @param nanoClock elapsed time, as {@link System#nanoTime}
   */
  public static KeyPools open(
      PoolConfig config,
      Hsm hsm,
      WrappedKeyStore store,
      PoolListener listener,
      LongSupplier nanoClock) {
    return new KeyPools(config, hsm, store, listener, nanoClock);
  }

  /**
   * Gives up the keys that this instance claimed and never accounted for: before the start, what a
   * crash left; after {@link #unload}, those whose requests' outcomes could not be recorded.
   *
   * @return how many were given up
   * @throws StoreException if the store fails
   */
  public int forfeitLeftovers() {
    int forfeited = store.forfeitLeftovers();
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
    return disowned.destroy();
  }

  /** Starts the threads, as the mode says. To be called once. */
  public void start() {
    switch (config.mode()) {
      case POOLED -> {
        loaderThread.start();
        generators.start();
      }
      case FILL -> generators.start();
      case ON_THE_FLY -> {}
    }
    watch.start();
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
   * @param limit how long to wait for the device, which may hang; for each of two threads
   * @return whether nothing of it is at work any more
   */
  public boolean stopGenerating(Duration limit) {
    boolean watchEnded = watch.end(limit);
    boolean generatorsEnded = generators.end(limit);
    supply.close();
    return watchEnded && generatorsEnded;
  }

  /**
   * The last step of the stop, after the last lease has ended: ends the loader, destroys each
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
   * As {@link #unload()}.
   *
   * @param limit how long to wait for the loader, whose device may hang
   * @return empty if it has not ended: nothing is unloaded then
   */
  public OptionalInt unload(Duration limit) {
    return loaderThread.end(limit) ? OptionalInt.of(loader.unload()) : OptionalInt.empty();
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

  /** Whether there is a pool of this kind of key. */
  public boolean serves(KeySpec spec) {
    return device.shelves().serves(spec);
  }

  /**
   * Leases the oldest loaded key. If none is loaded, waits while one may still be brought.
   *
   * @param maxWait how long to wait at the most; zero or less: not at all
   * @return empty if the pool and the store have no key of this kind, or none came in time
   * @throws IllegalArgumentException if this kind has no pool
   */
  public Optional<KeyLease> lease(KeySpec spec, Duration maxWait) throws InterruptedException {
    return device.lease(spec, maxWait);
  }

  /**
   * As {@link #lease}, for those who can have a key made instead: does not wait for a loader that
   * has not come forward for half a second, because database or device hangs.
   */
  public Optional<KeyLease> leaseUnlessStalled(KeySpec spec, Duration maxWait)
      throws InterruptedException {
    return device.lease(spec, maxWait, loaderStalls);
  }

  /**
   * Generates a key for one request, as the traditional system does (thesis section 1.9).
   *
   * @throws HsmException if the device fails
   */
  public KeyLease generate(KeySpec spec) {
    return device.generate(spec);
  }

  /** A request is at hand, and goes before generating, until {@link #requestEnded}. */
  public void requestBegan() {
    device.activity().began();
  }

  /** A request is done with the device, whatever its outcome; once for each that began. */
  public void requestEnded() {
    device.activity().ended();
  }

  /** Whether no request is at hand, and none was for {@code idle-after}. */
  public boolean isIdle() {
    return device.activity().isIdle();
  }

  /** Whether a key that is leased now would be spent for nothing. Asks nobody. */
  public boolean failsToSign() {
    return device.hsm().failsToSign();
  }

  /** How the device is, by what its calls returned. Asks nobody. */
  public HsmHealth health() {
    return device.hsm().health();
  }

  /**
   * Counts the private keys that are live in the device. Slow on some devices: never on a request's
   * way.
   *
   * @throws HsmException if the device fails
   */
  public long liveKeys() {
    return device.hsm().countLiveKeys();
  }

  /** How many claims were made so far: keys moved between two looks if it differs. */
  public long claims() {
    return loader.claims();
  }

  /** How many keys are live because the device did not destroy them. */
  public int orphans() {
    return device.destroyer().count();
  }

  /** Whether there are so many that no more keys are to be used or made: {@code max-orphans}. */
  public boolean atOrphanLimit() {
    return device.destroyer().atLimit();
  }

  /**
   * How many keys are loaded, leased and on their way. Asks nobody.
   *
   * @throws IllegalArgumentException if this kind has no pool
   */
  public PoolDepth depth(KeySpec spec) {
    return device.shelves().depth(spec, loader.inTransit(spec));
  }

  /**
   * Counts the keys of one kind in both tiers, each once although keys move meanwhile.
   *
   * @throws StoreException if the store fails
   */
  public Count count(KeySpec spec) {
    long stored = 0;
    int outside = 0;
    long claims = -1;
    for (int look = 0; look < MAX_LOOKS && claims != loader.claims(); look++) {
      claims = loader.claims();
      outside = depth(spec).free();
      stored = store.count(spec);
    }
    return new Count(stored, outside);
  }

  /** How many keys of this kind were generated and stored since the start. */
  public long generated(KeySpec spec) {
    return supply.generated(spec);
  }

  /** How many keys of this kind were leased since the start and not returned unused. */
  public long leased(KeySpec spec) {
    return device.shelves().leased(spec);
  }

  /** How many generating threads are in this state. */
  public int generatorThreads(GeneratorState state) {
    return generators.threads(state);
  }

  /** Whether a thread that generates has ended although nobody asked it to. */
  public boolean isGeneratorBroken() {
    return generators.isBroken();
  }

  /** Whether the thread that loads has ended although nobody asked it to. */
  public boolean isLoaderBroken() {
    return loaderThread.isBroken();
  }

  /** Of the keys that were loaded before; who has paused because of the device goes on at once. */
  private void deviceReopened(List<LoadedKey> left) {
    loader.putBackOfEndedEpoch(left);
    loaderThread.wake();
    generators.wake();
  }

  DeviceWatch watch() {
    return watch;
  }

  Device device() {
    return device;
  }

  KeySupply supply() {
    return supply;
  }

  KeyGenerator generator() {
    return generator;
  }

  KeyLoader loader() {
    return loader;
  }

  LoaderThread loaderThread() {
    return loaderThread;
  }
}
