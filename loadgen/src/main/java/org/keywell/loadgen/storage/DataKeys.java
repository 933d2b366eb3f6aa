package org.keywell.loadgen.storage;

import java.io.IOException;

/** Wraps data keys, which are kept wrapped beside what they encrypt. */
interface DataKeys {

  /** Returns a data key in the form to be kept. */
  byte[] wrap(byte[] key) throws IOException, InterruptedException;

  /**
   * Returns a data key from the form in which it is kept.
   *
   * @throws KeyRefusedException if its key manager does not give it
   */
  byte[] unwrap(byte[] wrapped) throws IOException, InterruptedException;
}
