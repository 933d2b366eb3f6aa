package org.keywell.keypool;

import org.keywell.keypool.hsm.KeySpec;

/**
 * Is told what becomes of keys, from their generation to their end, on the thread that does it.
 * Some of it is told while the pool's lock is held: it must be quick. Thread-safe; must not throw.
 *
 * <p>Each key that is claimed from the store is told of once more, as loaded, put back, discarded,
 * barred or lost; a loaded one at the stop once again.
 */
public interface PoolListener {

  /** Listens to nothing. */
  PoolListener NONE = new PoolListener() {};

  /** The stages of making one key for the store, in their order. */
  enum Stage {
    GENERATE,
    WRAP,
    /** Destroying the live copy. */
    DESTROY,
    STORE
  }

  /** What a need for keys came to, and so what a lease that finds no key may hope for. */
  enum Load {
    /** The store had keys; there may be more. */
    STORE_HAD_KEYS,
    /** Requests do not wait, and no load starts, until the store may have keys again. */
    STORE_DRY,
    /** The device or the store failed: requests do not wait until the next load starts. */
    FAILED
  }

  /** How claimed keys end that no request gets. */
  enum End {
    /** In the store again. */
    PUT_BACK,
    /** The device does not unwrap them, or it is not certain that they are gone from it. */
    DISCARDED,
    /** Someone changed the database: used before, or the public key is in another encoding. */
    BARRED,
    /**
     * The database failed: still on the ledger, and forfeited by the next start, or forfeited by
     * another instance that took this one for gone.
     */
    LOST
  }

  /** A stage of making a key has been done. Stages that fail are not told. */
  default void timed(KeySpec spec, Stage stage, long nanos) {}

  /** A key is durable in the store, and can be claimed. */
  default void stored(KeySpec spec) {}

  /** A key was begun and is not known to be in the store. */
  default void generationFailed(KeySpec spec) {}

  /** A claim was made, of 0 keys or more. */
  default void claimed(KeySpec spec, int keys, long nanos) {}

  /** A key was unwrapped. */
  default void unwrapped(KeySpec spec, long nanos) {}

  /** A key is in the loaded tier. */
  default void loaded(KeySpec spec) {}

  /** Keys ended, 0 or more. */
  default void ended(KeySpec spec, int keys, End end) {}

  /** A need for keys was worked on. */
  default void finished(KeySpec spec, Load load) {}

  /** Keys were given up that a run had claimed and not accounted for. */
  default void forfeited(int keys) {}

  /** A loaded key was given to a request. */
  default void leased(KeySpec spec) {}

  /** A request got no loaded key: it ended for that, or a key was made for it. */
  default void missed(KeySpec spec) {}

  /** A leased key is back in the loaded tier, unused. */
  default void returned(KeySpec spec) {}

  /** A key was generated for one request. */
  default void generatedOnTheFly(KeySpec spec) {}

  /** A device was to be opened anew, since it had lost its sessions or its keys. */
  default void reopened(boolean succeeded, long nanos) {}

  /** A private key, or an orphan of any kind, is gone from the device, for certain. */
  default void destroyed(KeySpec spec) {}

  /** The first attempt to destroy a key failed; of a new pair, it may be the public half. */
  default void orphaned(KeySpec spec) {}
}
