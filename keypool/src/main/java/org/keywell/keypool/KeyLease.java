package org.keywell.keypool;

import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.keywell.keypool.hsm.Destruction;
import org.keywell.keypool.hsm.DigestAlgorithm;
import org.keywell.keypool.hsm.Hsm;
import org.keywell.keypool.hsm.KeyHandle;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.keypool.hsm.LiveKeyPair;
import org.keywell.keypool.hsm.SignatureScheme;
import org.keywell.keypool.store.StoredKey;

/**
 * The right of one request to one key. It signs at most once and is settled exactly once, by {@link
 * #destroy} or {@link #returnUnused}; a further call is a programming error.
 */
public final class KeyLease {

  private enum State {
    LEASED,
    SPENT,
    SETTLED
  }

  private final Hsm hsm;
  private final KeyDestroyer orphans;
  private final KeyHandle handle;
  private final byte[] publicKey;
  private final @Nullable LoadedKey loaded;
  private final @Nullable Shelves pool;
  private final AtomicReference<State> state = new AtomicReference<>(State.LEASED);

  private KeyLease(
      Hsm hsm,
      KeyDestroyer orphans,
      KeyHandle handle,
      byte[] publicKey,
      @Nullable LoadedKey loaded,
      @Nullable Shelves pool) {
    this.hsm = hsm;
    this.orphans = orphans;
    this.handle = handle;
    this.publicKey = publicKey;
    this.loaded = loaded;
    this.pool = pool;
  }

  static KeyLease ofLoaded(Hsm hsm, KeyDestroyer orphans, LoadedKey key, Shelves pool) {
    return new KeyLease(hsm, orphans, key.handle(), key.stored().key().publicKey(), key, pool);
  }

  /**
   * Generates a key for this one request, as the traditional system does (thesis section 1.9).
   *
   * @throws org.keywell.keypool.hsm.HsmException if the device fails
   */
  public static KeyLease generateOnTheFly(Hsm hsm, KeyDestroyer orphans, KeySpec spec) {
    LiveKeyPair pair = hsm.generate(spec);
    orphans.listener().generatedOnTheFly(spec);
    return new KeyLease(hsm, orphans, pair.privateKey(), pair.publicKey(), null, null);
  }

  /** The pool row that the key came from; empty if it was generated on the fly. */
  public Optional<StoredKey> stored() {
    return Optional.ofNullable(loaded).map(LoadedKey::stored);
  }

  /** The DER {@code SubjectPublicKeyInfo}; from the database, so not to be trusted by itself. */
  public byte[] publicKey() {
    return publicKey;
  }

  /**
   * Signs, once. From here on the key is spent, even if the device fails.
   *
   * @throws IllegalStateException if the lease has signed or is settled
   * @throws org.keywell.keypool.hsm.HsmException if the device fails
   */
  public byte[] sign(SignatureScheme scheme, DigestAlgorithm digestAlgorithm, byte[] digest) {
    move(State.LEASED, State.SPENT);
    return hsm.sign(handle, scheme, digestAlgorithm, digest);
  }

  /**
   * Destroys the key and settles the lease. If the device does not destroy it, the key is an
   * orphan, which {@link KeyDestroyer} keeps trying to destroy.
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
   * Returns a key that has not signed to the pool and settles the lease. A key that was generated
   * on the fly, or whose pool is closed, is destroyed.
   *
   * @return the evidence of its destruction; empty if it went back
   * @throws IllegalStateException if the lease has signed or is settled
   */
  public Optional<Destruction> returnUnused() {
    move(State.LEASED, State.SETTLED);
    return pool != null && loaded != null && pool.takeBack(loaded)
        ? Optional.empty()
        : Optional.of(destroyNow());
  }

  private Destruction destroyNow() {
    try {
      return orphans.destroy(handle);
    } finally {
      if (pool != null && loaded != null) {
        pool.leaseEnded(loaded);
      }
    }
  }

  private void move(State from, State to) {
    if (!state.compareAndSet(from, to)) {
      throw new IllegalStateException("the lease is " + state.get() + ", not " + from);
    }
  }
}
