package org.keywell.keypool.hsm;

/**
 * The evidence of one attempt to destroy a key.
 *
 * @param returnValue what {@code C_DestroyObject} returned; 0 is {@code CKR_OK}
 */
public record Destruction(long returnValue) {

  /** {@code CKR_OK}: the key no longer exists. */
  public static final Destruction DONE = new Destruction(0);

  /** Whether the key is known to be gone. If not, it is an orphan inside the HSM. */
  public boolean succeeded() {
    return returnValue == 0;
  }
}
