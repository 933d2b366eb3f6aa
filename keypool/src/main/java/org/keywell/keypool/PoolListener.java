package org.keywell.keypool;

import org.keywell.keypool.hsm.KeySpec;

/**
 * Listens to the life of keys, from generation to end, on the thread that does the work. Some calls
 * are made with the pool's lock held: it must be quick. Thread-safe; must not throw.
 *
 * <p>Each claimed key is reported again, once: as loaded, put back, discarded, barred or lost. A
 * loaded key that ends without a request is reported once again.
 */
public interface PoolListener {

  /** Listens to nothing. */
  PoolListener NONE = new PoolListener() {};

  /** The stages of generating one key for the store, in order. */
  enum Stage {
    GENERATE,
    WRAP,
    /** Destroying the live copy. */
    DESTROY,
    STORE
  }

  /** The result of a load, and so what a lease that finds no key can expect. */
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
    /** Back in the store. */
    PUT_BACK,
    /** The device does not unwrap them, or they may not be gone from it. */
    DISCARDED,
    /** Someone changed the database: used before, or the public key has another encoding. */
    BARRED,
    /**
     * Still on the ledger because the database failed, and forfeited by the next start; or
     * forfeited by another instance that took this one for gone.
     */
    LOST
  }

  /** A stage of generating a key has completed. Failed stages are not reported. */
  default void timed(KeySpec spec, Stage stage, long nanos) {}

  /** A key is durable in the store, and can be claimed. */
  default void stored(KeySpec spec) {}

  /** A key was started and is not known to be in the store. */
  default void generationFailed(KeySpec spec) {}

  /** A claim was made, of 0 keys or more. */
  default void claimed(KeySpec spec, int keys, long nanos) {}

  /** A key was unwrapped. */
  default void unwrapped(KeySpec spec, long nanos) {}

  /** A key is in the loaded tier. */
  default void loaded(KeySpec spec) {}

  /** Keys ended, 0 or more. */
  default void ended(KeySpec spec, int keys, End end) {}

  /** A load ended. */
  default void finished(KeySpec spec, Load load) {}

  /** Keys that a run had claimed and not accounted for were forfeited. */
  default void forfeited(int keys) {}

  /** A loaded key was given to a request. */
  default void leased(KeySpec spec) {}

  /** A request got no loaded key: it ended for that reason, or a key was generated for it. */
  default void missed(KeySpec spec) {}

  /** A leased key is back in the loaded tier, unused. */
  default void returned(KeySpec spec) {}

  /** A key was generated for one request. */
  default void generatedOnTheFly(KeySpec spec) {}

  /** A device that had lost its sessions or its keys was reopened, or could not be. */
  default void reopened(boolean succeeded, long nanos) {}

  /** A private key, or an orphan of any kind, is certainly gone from the device. */
  default void destroyed(KeySpec spec) {}

  /** The first attempt to destroy a key failed; it may be the public half of a new pair. */
  default void orphaned(KeySpec spec) {}
}
