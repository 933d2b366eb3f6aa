package org.keywell.signing.pool;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.keywell.keypool.hsm.HsmException;
import org.keywell.keypool.store.PoolMarks;
import org.keywell.keypool.worker.Worker;
import org.keywell.settings.StartRefusedException;
import org.keywell.signing.database.Rotation;
import org.keywell.signing.database.Rotation.Step;
import org.keywell.signing.database.WrappingKeyRotations;
import org.keywell.signing.database.WrappingKeyUse;
import org.keywell.signing.database.WrappingKeyUse.Kind;
import org.keywell.signing.database.WrappingKeyUses;
import org.keywell.signing.hsm.Devices;
import org.keywell.signing.hsm.OpenDevice;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has the devices follow the rotations of their wrapping keys, reports what they use, and discards
 * what is stored under keys that are withdrawn or were destroyed. Thread-safe.
 */
public final class WrappingKeyWatch {

  private static final Logger log = LoggerFactory.getLogger(WrappingKeyWatch.class);
  private static final Duration EVERY = Duration.ofSeconds(2);

  /** In looks, what has not changed. */
  private static final int REPORTED_EVERY = 15;

  private final Devices devices;
  private final WrappingKeyRotations rotations;
  private final WrappingKeyUses uses;
  private final PoolMarks store;
  private final String instance;
  private final Worker worker;

  // Guarded by this.
  private List<WrappingKeyUse> lastReported = List.of();
  private int looksSince;

  /**
   * @param store of this instance
   */
  WrappingKeyWatch(
      Devices devices,
      WrappingKeyRotations rotations,
      WrappingKeyUses uses,
      PoolMarks store,
      String instance) {
    this.devices = devices;
    this.rotations = rotations;
    this.uses = uses;
    this.store = store;
    this.instance = instance;
    this.worker = new Worker("keywell-wrapping-keys", this::look, EVERY);
  }

  /**
   * Follows the rotations so far; to be called before anything is claimed or generated.
   *
   * @throws StartRefusedException if a device lacks the key that followed its own
   */
  public void beforeStart() {
    devices.all().forEach(this::join);
    var _ = look();
  }

  public void start() {
    worker.start();
  }

  /** Returns whether the thread ended in time. */
  public boolean end(Duration limit) {
    worker.stop();
    return worker.join(limit);
  }

  /**
   * Takes a device in before it is used.
   *
   * @throws StartRefusedException as {@link #beforeStart}
   */
  public void join(OpenDevice device) {
    device
        .follow(rotations.all())
        .replaced()
        .ifPresent(rotation -> {
          throw new StartRefusedException(
              "device %s has wrapping key %s, which %s replaced, and lacks that one: enrol it by ./keywell hsm, or give the device another label"
                  .formatted(device.name(), rotation.oldId(), rotation.newId()));
        });
    for (String id : destroyedIn(device)) {
      long keys = store.discardAll(id);
      if (keys > 0) {
        log.warn(
            "{} stored keys are discarded: they are under wrapping key {}, which was destroyed in"
                + " the token of device {}; a backup from before brought them back",
            keys,
            id,
            device.name());
      }
    }
  }

  /** Without them, rows that a backup brought back stay: nobody can use them. */
  private static List<String> destroyedIn(OpenDevice device) {
    try {
      return device.destroyedWrappingKeyIds();
    } catch (HsmException e) {
      log.debug("device {} does not tell which keys were destroyed", device.name(), e);
      return List.of();
    }
  }

  /** Looks once; the thread repeats this. Returns how long to pause. */
  synchronized Duration look() {
    List<Rotation> all = rotations.all();
    List<WrappingKeyUse> reported = new ArrayList<>();
    for (OpenDevice device : devices.all()) {
      try {
        var _ = device.follow(all);
      } catch (HsmException e) {
        log.debug("device {}: its wrapping keys are as before: {}", device.name(), e.getMessage());
      }
      report(device, reported);
    }
    for (Rotation rotation : all) {
      if (rotation.step() == Step.WITHDRAWN) {
        long keys = store.discardAll(rotation.oldId());
        if (keys > 0) {
          log.info("{} keys under wrapping key {} are discarded", keys, rotation.oldId());
        }
      }
    }
    // Another instance that took this one for gone has removed what it reported.
    if (!reported.equals(lastReported) || ++looksSince > REPORTED_EVERY) {
      uses.report(instance, reported);
      lastReported = reported;
      looksSince = 0;
    }
    return EVERY;
  }

  private void report(OpenDevice device, List<WrappingKeyUse> reported) {
    List<String> used = device.hsm().wrappingKeyIds();
    String wraps = device.hsm().wrappingKeyId();
    for (String id : device.foundWrappingKeyIds()) {
      Kind unlessItWraps = used.contains(id) ? Kind.UNWRAPS : Kind.WITHDRAWN;
      reported.add(
          new WrappingKeyUse(
              instance,
              device.name(),
              device.hsm().tokenId(),
              id,
              id.equals(wraps) ? Kind.WRAPS : unlessItWraps));
    }
  }
}
