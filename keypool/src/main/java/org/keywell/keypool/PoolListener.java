package org.keywell.keypool;

import org.keywell.keypool.hsm.KeySpec;

/**
 * Is told of leases and of the end of keys in the device. Some of it is told while the pool's lock
 * is held: it must be quick. Thread-safe; must not throw.
 */
public interface PoolListener {

  /** Listens to nothing. */
  PoolListener NONE =
      new PoolListener() {
        @Override
        public void leased(KeySpec spec) {}

        @Override
        public void missed(KeySpec spec) {}

        @Override
        public void returned(KeySpec spec) {}

        @Override
        public void generatedOnTheFly(KeySpec spec) {}

        @Override
        public void destroyed(KeySpec spec) {}

        @Override
        public void orphaned(KeySpec spec) {}
      };

  /** A loaded key was given to a request. */
  void leased(KeySpec spec);

  /** A request found no loaded key. */
  void missed(KeySpec spec);

  /** A leased key is back in the loaded tier, unused. */
  void returned(KeySpec spec);

  /** A key was generated for one request. */
  void generatedOnTheFly(KeySpec spec);

  /** A private key, or an orphan of any kind, is gone from the device, for certain. */
  void destroyed(KeySpec spec);

  /** The first attempt to destroy a key failed; of a new pair, it may be the public half. */
  void orphaned(KeySpec spec);
}
