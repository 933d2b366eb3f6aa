package org.keywell.keypool;

import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * All workers of one device: as its role requires, they generate keys in it, load keys into it and
 * look after it. If another device hangs, these go on.
 */
final class DeviceWorkers {

  private static final Logger log = LoggerFactory.getLogger(DeviceWorkers.class);

  private final Device device;
  private final StoredTier tier;
  private final KeyGenerator generator;
  private final GeneratorThreads generators;
  private final KeyLoader loader;
  private final LoaderThreads loaders;
  private final DeviceWatch watch;
  private final DisownedKeys disowned;

  /**
   * @param suffix of the threads' names
   */
  DeviceWorkers(
      Device device,
      StoredTier tier,
      PoolConfig config,
      PoolListener listener,
      LongSupplier nanoClock,
      String suffix) {
    this.device = device;
    this.tier = tier;
    this.generator = new KeyGenerator(device, tier, listener);
    this.generators = new GeneratorThreads(generator, config.generatorThreads(), suffix);
    this.loader = new KeyLoader(device, device.store(), listener);
    this.loaders = new LoaderThreads(loader, device.shelves(), nanoClock, device.loaders(), suffix);
    this.watch = new DeviceWatch(device, config.failedProofs(), listener, this::reopened, suffix);
    this.disowned = new DisownedKeys(device, tier.store(), listener);
  }

  void start(PoolConfig.Mode mode) {
    boolean generates = device.role().generates();
    switch (mode) {
      case POOLED -> {
        if (device.role().signs()) {
          loaders.start();
        }
        if (generates) {
          generators.start();
        }
      }
      case FILL -> {
        if (generates) {
          generators.start();
        }
      }
      case ON_THE_FLY -> {}
    }
    watch.start();
  }

  /** Asks the generators and the watch to end. */
  void askToStopGenerating() {
    watch.stop();
    generators.stop();
  }

  /** Returns whether both have ended, each within the limit. */
  boolean stopGenerating(Duration limit) {
    boolean watchEnded = watch.end(limit);
    boolean generatorsEnded = generators.end(limit);
    return watchEnded && generatorsEnded;
  }

  /**
   * Ends the loaders and unloads the device.
   *
   * @return how many keys were put back; empty, so none, if a device call hangs or a key is leased
   */
  OptionalInt unload(Duration limit) {
    // A thread in a long generation has had the whole stop so far to end.
    boolean ended = stopGenerating(limit) && loaders.end(limit);
    if (ended && device.inUse() == 0) {
      return OptionalInt.of(loader.unload());
    }
    log.error("a call to HSM {} does not return; its loaded keys are not put back", device.name());
    return OptionalInt.empty();
  }

  /** Puts back the keys that were loaded, and ends the pauses of loaders and generators. */
  private void reopened(List<LoadedKey> left) {
    loader.putBackOfEndedEpoch(left);
    // An earlier look may have found the store dry.
    left.stream().map(key -> key.handle().spec()).distinct().forEach(tier::refilled);
    loaders.wake();
    generators.wake();
  }

  int destroyDisowned() {
    return disowned.destroy();
  }

  int generatorThreads(GeneratorState state) {
    return generators.threads(state);
  }

  boolean isGeneratorBroken() {
    return generators.isBroken();
  }

  boolean isLoaderBroken() {
    return loaders.isBroken();
  }

  Device device() {
    return device;
  }

  StoredTier tier() {
    return tier;
  }

  KeyGenerator generator() {
    return generator;
  }

  KeyLoader loader() {
    return loader;
  }

  DeviceWatch watch() {
    return watch;
  }
}
