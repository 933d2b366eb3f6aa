package org.keywell.keypool.hsm;

/**
 * The evidence of one attempt to destroy a key.
 *
 * @param returnValue what {@code C_DestroyObject} returned; 0 is {@code CKR_OK}, -1 says that it
 *     could not be called
 */
public record Destruction(long returnValue) {

  /** {@code CKR_OK}: the key no longer exists. */
  public static final Destruction DONE = new Destruction(0);

  /** The device could not be asked: no session was free, or the {@link Hsm} was closed. */
  public static final Destruction NOT_CALLED = new Destruction(-1);

  /** Whether the key is known to be gone. If not, it is an orphan inside the HSM. */
  public boolean succeeded() {
    return returnValue == 0;
  }
}
