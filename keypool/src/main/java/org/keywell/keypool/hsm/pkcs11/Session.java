package org.keywell.keypool.hsm.pkcs11;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.keywell.keypool.hsm.HsmException;
import org.keywell.keypool.hsm.HsmException.Reason;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A session with a token, and the native buffers of its calls. For one thread at a time.
 *
 * <p>The buffers live as long as the session is reachable, rather than until {@link #close}: a call
 * that hangs in the device still writes to them.
 */
final class Session implements AutoCloseable {
  /** Holds any wrapped key (ML-DSA-87: about 5,000 bytes) with room to spare, and any signature. */
  static final int BUFFER_BYTES = 8192;

  private static final Logger log = LoggerFactory.getLogger(Session.class);

  private final Functions functions;
  private final long handle;
  private final MemorySegment input;
  private final MemorySegment output;
  private final MemorySegment length;
  private final MemorySegment objects;
  private boolean gone;

  /** Whether an operation began that is not known to have ended. */
  private boolean operating;

  private Session(Functions functions, long handle, Arena arena) {
    this.functions = functions;
    this.handle = handle;
    this.input = arena.allocate(BUFFER_BYTES, 8);
    this.output = arena.allocate(BUFFER_BYTES, 8);
    this.length = arena.allocate(JAVA_LONG);
    this.objects = arena.allocate(JAVA_LONG, 2);
  }

  /**
   * Opens a session that can create and destroy only session objects. The wrapping key and
   * everything else that the token holds are out of its reach.
   */
  static Session open(Functions functions, long slotId) {
    return open(functions, slotId, Ck.CKF_SERIAL_SESSION);
  }

  /** Opens a session that can create and destroy token objects too. */
  static Session openReadWrite(Functions functions, long slotId) {
    return open(functions, slotId, Ck.CKF_SERIAL_SESSION | Ck.CKF_RW_SESSION);
  }

  private static Session open(Functions functions, long slotId, long flags) {
    Arena arena = Arena.ofAuto();
    MemorySegment handle = arena.allocate(JAVA_LONG);
    ReturnValue.check("C_OpenSession", functions.openSession(slotId, flags, handle));
    return new Session(functions, handle.get(JAVA_LONG, 0), arena);
  }

  /** Logs in, for all sessions of this process with the token. Makes only one attempt. */
  void login(long userType, Pin pin) {
    checkLogin(pin.handTo((bytes, count) -> functions.login(handle, userType, bytes, count)));
  }

  /** Logs the SO in with an empty PIN. */
  void loginSoWithoutPin() {
    checkLogin(functions.login(handle, Ck.CKU_SO, MemorySegment.NULL, 0));
  }

  private static void checkLogin(long returned) {
    if (returned == 0 || ReturnValue.CKR_USER_ALREADY_LOGGED_IN.is(returned)) {
      return;
    }
    HsmException failure = ReturnValue.exception("C_Login", returned);
    if (failure.reason() == Reason.LOGIN_REFUSED) {
      LoginHistory.refused();
    }
    throw failure;
  }

  /**
   * Checks the session's state.
   *
   * @throws HsmException with {@link Reason#SESSION_LOST} if the user is no longer logged in
   */
  void requireUserLoggedIn() {
    if (!isUserLoggedIn()) {
      throw new HsmException(
          Reason.SESSION_LOST,
          ReturnValue.CKR_USER_NOT_LOGGED_IN.code(),
          "the user is not logged in to the token");
    }
  }

  /** Whether the user is logged in, through any session of this process. */
  boolean isUserLoggedIn() {
    // CK_SESSION_INFO: slotID, state, flags, ulDeviceError.
    ReturnValue.check("C_GetSessionInfo", functions.getSessionInfo(handle, output));
    long state = output.get(JAVA_LONG, Long.BYTES);
    return state == Ck.CKS_RO_USER_FUNCTIONS || state == Ck.CKS_RW_USER_FUNCTIONS;
  }

  /** Copies bytes to {@link #input}, {@code offset} bytes after its start. */
  void put(long offset, byte[] bytes, int count) {
    MemorySegment.copy(bytes, 0, input, JAVA_BYTE, offset, count);
  }

  MemorySegment input() {
    return input;
  }

  MemorySegment output() {
    return output;
  }

  /** Returns the length of {@link #output}: its size for the call, then what the call wrote. */
  MemorySegment outputCapacity() {
    length.set(JAVA_LONG, 0, BUFFER_BYTES);
    return length;
  }

  long outputLength() {
    return length.get(JAVA_LONG, 0);
  }

  /** Returns a copy of what the last call wrote to {@link #output}. */
  byte[] takeOutput() {
    byte[] bytes = new byte[Math.toIntExact(outputLength())];
    MemorySegment.copy(output, JAVA_BYTE, 0, bytes, 0, bytes.length);
    return bytes;
  }

  /** Returns room for the handle of the private or only key that a call creates. */
  MemorySegment newObject() {
    objects.set(JAVA_LONG, 0, Ck.CK_INVALID_HANDLE);
    return objects;
  }

  long newObjectHandle() {
    return objects.get(JAVA_LONG, 0);
  }

  /** Returns room for the handle of the public key that a call creates. */
  MemorySegment newPublicKey() {
    return objects.asSlice(8);
  }

  long newPublicKeyHandle() {
    return objects.get(JAVA_LONG, 8);
  }

  /**
   * Checks a call that begins an operation, such as {@code C_SignInit}. {@link #ended} follows;
   * without it, the session is not lent again.
   */
  void began(String function, long returned) {
    ReturnValue.check(function, returned);
    operating = true;
  }

  /**
   * Records a call that ends the operation. Modules do not always end it when the call fails, so
   * only success counts.
   *
   * @return {@code returned}
   */
  long ended(long returned) {
    operating = returned != 0;
    return returned;
  }

  /** Records that the module ended the operation by refusing its data. */
  void dataRefused() {
    operating = false;
  }

  /** Closes the session if an operation may be active in it, which would refuse others. */
  void closeIfOperating() {
    if (operating) {
      discard();
    }
  }

  /** Closes the session, which is gone then. */
  void discard() {
    close();
    gone = true;
  }

  /** Records that the module has no such session. */
  void gone() {
    gone = true;
  }

  boolean isGone() {
    return gone;
  }

  Functions functions() {
    return functions;
  }

  long handle() {
    return handle;
  }

  /**
   * Closes the session, which destroys the session objects that it created. Closing the process's
   * last session with the token logs out; nothing else here does. Does not touch a session that is
   * gone: its number may be another's by now.
   */
  @Override
  public void close() {
    if (gone) {
      return;
    }
    long returned = functions.closeSession(handle);
    if (returned != 0) {
      log.warn("C_CloseSession returned {}", ReturnValue.name(returned));
    }
  }
}
