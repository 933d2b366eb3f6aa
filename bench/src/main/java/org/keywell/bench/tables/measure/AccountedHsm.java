package org.keywell.bench.tables.measure;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.keywell.keypool.hsm.Destruction;
import org.keywell.keypool.hsm.ForwardingHsm;
import org.keywell.keypool.hsm.Hsm;
import org.keywell.keypool.hsm.KeyHandle;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.keypool.hsm.LiveKeyPair;
import org.keywell.keypool.hsm.WrappedKey;

/**
 * Keeps track of the keys that are created in a device, so that none of them stays there.
 * Thread-safe.
 */
final class AccountedHsm implements ForwardingHsm {
  private final Hsm device;
  private final Set<KeyHandle> live = ConcurrentHashMap.newKeySet();
  private final AtomicLong made = new AtomicLong();
  private final AtomicLong destroyed = new AtomicLong();

  /**
   * @param device owned by this object from now on; {@link #close} closes it
   */
  AccountedHsm(Hsm device) {
    this.device = device;
  }

  @Override
  public Hsm device() {
    return device;
  }

  /** Returns how many private keys were generated or unwrapped. */
  long made() {
    return made.get();
  }

  /** Returns how many of them the device reported as destroyed. */
  long destroyed() {
    return destroyed.get();
  }

  /** Destroys all remaining keys. Those that the device does not destroy remain tracked. */
  void destroyAll() {
    Set.copyOf(live).forEach(this::destroy);
  }

  @Override
  public LiveKeyPair generateExtractable(KeySpec spec) {
    LiveKeyPair pair = device.generateExtractable(spec);
    enter(pair.privateKey());
    return pair;
  }

  @Override
  public LiveKeyPair generate(KeySpec spec) {
    LiveKeyPair pair = device.generate(spec);
    enter(pair.privateKey());
    return pair;
  }

  @Override
  public KeyHandle unwrap(WrappedKey key) {
    KeyHandle handle = device.unwrap(key);
    enter(handle);
    return handle;
  }

  private void enter(KeyHandle key) {
    made.incrementAndGet();
    live.add(key);
  }

  @Override
  public Destruction destroy(KeyHandle key) {
    // Removed first: the device may give the handle to another thread's key at once.
    boolean known = live.remove(key);
    Destruction destruction = device.destroy(key);
    if (known && destruction.succeeded()) {
      destroyed.incrementAndGet();
    } else if (known) {
      live.add(key);
    }
    return destruction;
  }
}
