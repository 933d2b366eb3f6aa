package org.keywell.keypool;

import org.keywell.keypool.hsm.KeySpec;

/**
 * Is told what becomes of keys that are made for the store, on the generating thread. Thread-safe;
 * must not throw.
 */
public interface GenerateListener {

  /** Listens to nothing. */
  GenerateListener NONE =
      new GenerateListener() {
        @Override
        public void timed(KeySpec spec, Stage stage, long nanos) {}

        @Override
        public void stored(KeySpec spec) {}

        @Override
        public void failed(KeySpec spec) {}
      };

  /** The stages of making one key, in their order. */
  enum Stage {
    GENERATE,
    WRAP,
    /** Destroying the live copy. */
    DESTROY,
    STORE
  }

  /** A stage has been done. Stages that fail are not told. */
  void timed(KeySpec spec, Stage stage, long nanos);

  /** A key is durable in the store. */
  void stored(KeySpec spec);

  /** A key was begun and is not known to be in the store. */
  void failed(KeySpec spec);
}
