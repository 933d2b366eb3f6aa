package org.keywell.keypool;

import org.keywell.keypool.hsm.KeySpec;

/**
 * Is told what becomes of keys that are claimed from the store. Each claimed key is told of once
 * more, as loaded, put back, discarded, barred or lost; a loaded one at the stop once again.
 * Thread-safe; must not throw.
 */
public interface LoadListener {

  /** Listens to nothing. */
  LoadListener NONE =
      new LoadListener() {
        @Override
        public void claimed(KeySpec spec, int keys, long nanos) {}

        @Override
        public void unwrapped(KeySpec spec, long nanos) {}

        @Override
        public void loaded(KeySpec spec) {}

        @Override
        public void ended(KeySpec spec, int keys, End end) {}

        @Override
        public void finished(KeySpec spec, LoadRequest.Outcome outcome) {}

        @Override
        public void forfeited(int keys) {}
      };

  /** How claimed keys end that no request gets. */
  enum End {
    /** In the store again. */
    PUT_BACK,
    /** The device does not unwrap them, or it is not certain that they are gone from it. */
    DISCARDED,
    /** Someone changed the database: used before, or the public key is in another encoding. */
    BARRED,
    /** The database failed: still on the ledger, and forfeited by the next start. */
    LOST
  }

  /** A claim was made, of 0 keys or more. */
  void claimed(KeySpec spec, int keys, long nanos);

  /** A key was unwrapped. */
  void unwrapped(KeySpec spec, long nanos);

  /** A key is in the loaded tier. */
  void loaded(KeySpec spec);

  /** Keys ended, 0 or more. */
  void ended(KeySpec spec, int keys, End end);

  /** A need for keys was worked on. */
  void finished(KeySpec spec, LoadRequest.Outcome outcome);

  /** Keys that an earlier run left behind are given up; told by whoever starts the pool. */
  void forfeited(int keys);
}
