package org.keywell.keypool.hsm;

/**
 * The evidence of one attempt to destroy a key.
 *
 * @param returnValue the return value of {@code C_DestroyObject}: 0 is {@code CKR_OK}; -1 if it
 *     could not be called; -2 if there was nothing left to call it for
 */
public record Destruction(long returnValue) {

  /** {@code CKR_OK}: the key no longer exists. */
  public static final Destruction DONE = new Destruction(0);

  /** The device could not be called: no session was free, or the {@link Hsm} was closed. */
  public static final Destruction NOT_CALLED = new Destruction(-1);

  /**
   * The handle's epoch has ended: the key died with its sessions, and no handle names it. The
   * device is not called, since the number may belong to another key by now.
   */
  public static final Destruction EPOCH_ENDED = new Destruction(-2);

  private static final long CKR_OBJECT_HANDLE_INVALID = 0x82;

  /** Whether this attempt destroyed the key. If not, the key may be an orphan inside the HSM. */
  public boolean succeeded() {
    return returnValue == 0;
  }

  /** Whether the key is gone, through this attempt or otherwise. */
  public boolean keyIsGone() {
    return succeeded()
        || returnValue == CKR_OBJECT_HANDLE_INVALID
        || returnValue == EPOCH_ENDED.returnValue;
  }
}
