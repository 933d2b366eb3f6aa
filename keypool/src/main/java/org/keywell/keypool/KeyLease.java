package org.keywell.keypool;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.keywell.keypool.hsm.Destruction;
import org.keywell.keypool.hsm.DigestAlgorithm;
import org.keywell.keypool.hsm.HsmException;
import org.keywell.keypool.hsm.KeyHandle;
import org.keywell.keypool.hsm.LiveKeyPair;
import org.keywell.keypool.hsm.SignatureScheme;
import org.keywell.keypool.store.StoredKey;

/**
 * One act's right to one key. The key proves at most once that it is there and signs the act's
 * digests at most once. The lease is settled exactly once, by {@link #destroy} or {@link
 * #returnUnused}; a further call is a programming error.
 */
public final class KeyLease {

  private enum State {
    LEASED,
    PROVEN,
    SPENT,
    SETTLED
  }

  private final Device device;
  private final KeyHandle handle;
  private final byte[] publicKey;
  private final @Nullable LoadedKey loaded;
  private final AtomicReference<State> state = new AtomicReference<>(State.LEASED);
  private volatile KeyDestroyer.@Nullable Orphan orphan;
  private volatile boolean held;

  private KeyLease(Device device, KeyHandle handle, byte[] publicKey, @Nullable LoadedKey loaded) {
    this.device = device;
    this.handle = handle;
    this.publicKey = publicKey;
    this.loaded = loaded;
    device.leaseBegan();
  }

  static KeyLease ofLoaded(Device device, LoadedKey key) {
    return new KeyLease(device, key.handle(), key.stored().key().publicKey(), key);
  }

  static KeyLease ofGenerated(Device device, LiveKeyPair pair) {
    return new KeyLease(device, pair.privateKey(), pair.publicKey(), null);
  }

  /** Returns the key's pool row; empty if the key was generated on the fly. */
  public Optional<StoredKey> stored() {
    return Optional.ofNullable(loaded).map(LoadedKey::stored);
  }

  /** Returns the name of the key's device. */
  public String device() {
    return device.name();
  }

  /** Whether the device is known to have lost the key with its sessions. Does no I/O. */
  public boolean isLost() {
    return device.shelves().hasEnded(handle.epoch());
  }

  /**
   * Returns the DER {@code SubjectPublicKeyInfo}. That of a loaded key comes from the store, so it
   * is not trusted on its own; that of a key generated on the fly comes from the device.
   */
  public byte[] publicKey() {
    return publicKey;
  }

  /**
   * Proves that the private key is there: signs once, before anything of the act is signed. From
   * here on the key cannot go back to the pool, even if the device fails.
   *
   * @return the signature, not verified yet
   * @throws IllegalStateException if the lease has signed anything or is settled
   * @throws HsmException if the device fails
   */
  public byte[] prove(SignatureScheme scheme, DigestAlgorithm digestAlgorithm, byte[] digest) {
    move(State.LEASED, State.PROVEN);
    return signNow(scheme, digestAlgorithm, digest);
  }

  /**
   * Holds a proven key for its act's caller: until it is destroyed, it takes no room in the loaded
   * tier and does not count as the device's work. Call it once, from the code that proved the key.
   *
   * @throws IllegalStateException if the lease has not proved itself, has signed or is settled
   */
  public void hold() {
    if (state.get() != State.PROVEN) {
      throw new IllegalStateException("the lease is " + state.get() + ", not " + State.PROVEN);
    }
    held = true;
    device.leaseHeld();
    if (loaded != null) {
      device.shelves().hold(loaded);
    }
  }

  /**
   * Signs all digests of the act, in order; once. From here on the key is spent, even if the device
   * fails after some of them.
   *
   * @return the signatures, not verified yet
   * @throws IllegalStateException if the lease has signed digests or is settled
   * @throws HsmException if the device fails; nothing is released then
   */
  public List<byte[]> sign(
      SignatureScheme scheme, DigestAlgorithm digestAlgorithm, List<byte[]> digests) {
    if (!state.compareAndSet(State.PROVEN, State.SPENT)) {
      move(State.LEASED, State.SPENT);
    }
    byte[][] signatures = new byte[digests.size()][];
    for (int i = 0; i < signatures.length; i++) {
      signatures[i] = signNow(scheme, digestAlgorithm, digests.get(i));
    }
    return List.of(signatures);
  }

  /**
   * Reports to the device whether what the key signed verifies with its public key. The caller must
   * verify it before anything is released; see {@link org.keywell.keypool.hsm.Hsm#signed}.
   */
  public void signed(boolean verifies) {
    device.signed(verifies);
  }

  private byte[] signNow(SignatureScheme scheme, DigestAlgorithm digestAlgorithm, byte[] digest) {
    try {
      return device.hsm().sign(handle, scheme, digestAlgorithm, digest);
    } catch (HsmException e) {
      // Nobody destroyed the key, so the device lost it and all other loaded keys: do not try those
      // one by one.
      if (loaded != null && e.reason() == HsmException.Reason.KEY_GONE) {
        device.hsm().lose(handle.epoch(), "a loaded key is gone: " + e.getMessage());
      }
      throw e;
    }
  }

  /**
   * Destroys the key and settles the lease. If the device does not destroy the key, it becomes an
   * orphan: it is counted, and its destruction is retried.
   *
   * @throws IllegalStateException if the lease is settled
   */
  public Destruction destroy() {
    State before = state.getAndSet(State.SETTLED);
    if (before == State.SETTLED) {
      throw new IllegalStateException("the lease is settled");
    }
    return destroyNow();
  }

  /**
   * Returns an unused key to the pool and settles the lease. Destroys the key if it was generated
   * on the fly, its pool is closed or its epoch has ended.
   *
   * @return the evidence of its destruction; empty if it went back
   * @throws IllegalStateException if the lease has signed or is settled
   */
  public Optional<Destruction> returnUnused() {
    move(State.LEASED, State.SETTLED);
    if (loaded != null && device.shelves().takeBack(loaded)) {
      device.leaseEnded(false);
      return Optional.empty();
    }
    return Optional.of(destroyNow());
  }

  /**
   * Returns the end of a key that the device did not destroy when the lease was settled. Completes
   * with the attempt after which the key no longer exists, on the thread of that attempt, for which
   * it must be quick. Never completes if the process ends first; the key then ends with its
   * session. Empty if there is nothing to wait for.
   */
  public Optional<CompletionStage<Destruction>> laterDestruction() {
    return Optional.ofNullable(orphan).map(KeyDestroyer.Orphan::gone);
  }

  private Destruction destroyNow() {
    KeyDestroyer destroyer = device.destroyer();
    try {
      Destruction destruction = destroyer.attempt(handle);
      if (!destruction.keyIsGone()) {
        orphan = destroyer.orphan(handle);
      }
      return destruction;
    } finally {
      device.leaseEnded(held);
      if (loaded != null) {
        device.shelves().leaseEnded(loaded, held);
      }
    }
  }

  private void move(State from, State to) {
    if (!state.compareAndSet(from, to)) {
      throw new IllegalStateException("the lease is " + state.get() + ", not " + from);
    }
  }
}
