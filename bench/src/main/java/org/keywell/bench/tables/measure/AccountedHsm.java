package org.keywell.bench.tables.measure;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.keywell.keypool.hsm.Destruction;
import org.keywell.keypool.hsm.DigestAlgorithm;
import org.keywell.keypool.hsm.Hsm;
import org.keywell.keypool.hsm.HsmHealth;
import org.keywell.keypool.hsm.KeyHandle;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.keypool.hsm.LiveKeyPair;
import org.keywell.keypool.hsm.SignatureScheme;
import org.keywell.keypool.hsm.WrappedKey;

/**
 * Keeps track of the keys that are created in a device, so that none of them stays there.
 * Thread-safe.
 */
final class AccountedHsm implements Hsm {
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
  public String tokenId() {
    return device.tokenId();
  }

  @Override
  public String wrappingKeyId() {
    return device.wrappingKeyId();
  }

  @Override
  public String wrapMechanism() {
    return device.wrapMechanism();
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
  public WrappedKey wrap(LiveKeyPair keyPair) {
    return device.wrap(keyPair);
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
  public byte[] sign(
      KeyHandle key, SignatureScheme scheme, DigestAlgorithm digestAlgorithm, byte[] digest) {
    return device.sign(key, scheme, digestAlgorithm, digest);
  }

  @Override
  public void signed(boolean verifies) {
    device.signed(verifies);
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

  @Override
  public long countLiveKeys() {
    return device.countLiveKeys();
  }

  @Override
  public long countStrayTokenKeys(Set<String> known) {
    return device.countStrayTokenKeys(known);
  }

  @Override
  public HsmHealth health() {
    return device.health();
  }

  @Override
  public boolean failsToSign() {
    return device.failsToSign();
  }

  @Override
  public boolean isFullToUnwrap() {
    return device.isFullToUnwrap();
  }

  @Override
  public boolean isFullToGenerate() {
    return device.isFullToGenerate();
  }

  @Override
  public void probe() {
    device.probe();
  }

  @Override
  public void prove(Function<KeyHandle, Destruction> destroyer) {
    device.prove(destroyer);
  }

  @Override
  public long epoch() {
    return device.epoch();
  }

  @Override
  public void lose(long epoch, String why) {
    device.lose(epoch, why);
  }

  @Override
  public void onLoss(Runnable listener) {
    device.onLoss(listener);
  }

  @Override
  public void reopen() {
    device.reopen();
  }

  @Override
  public void close() {
    device.close();
  }
}
