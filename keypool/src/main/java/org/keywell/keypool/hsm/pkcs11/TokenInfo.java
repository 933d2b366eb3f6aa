package org.keywell.keypool.hsm.pkcs11;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * The parts of {@code CK_TOKEN_INFO} in use.
 *
 * @param slotId the slot that the token is in; not an index, since indexes change
 * @param serial the maker's serial number: labels recur, serial numbers hardly do
 */
record TokenInfo(
    long slotId, String label, String manufacturer, String model, String serial, long flags) {
  static final long LABEL_BYTES = 32;
  private static final long BYTES = 208;
  private static final long MANUFACTURER = 32;
  private static final long MANUFACTURER_BYTES = 32;
  private static final long MODEL = 64;
  private static final long MODEL_BYTES = 16;
  private static final long SERIAL = 80;
  private static final long SERIAL_BYTES = 16;
  private static final long FLAGS = 96;

  static TokenInfo read(Functions functions, long slotId) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment info = arena.allocate(BYTES, 8);
      ReturnValue.check("C_GetTokenInfo", functions.getTokenInfo(slotId, info));
      return new TokenInfo(
          slotId,
          PaddedText.read(info, 0, LABEL_BYTES),
          PaddedText.read(info, MANUFACTURER, MANUFACTURER_BYTES),
          PaddedText.read(info, MODEL, MODEL_BYTES),
          PaddedText.read(info, SERIAL, SERIAL_BYTES),
          info.get(JAVA_LONG, FLAGS));
    }
  }

  /** Returns an id that is the same for all users of the token, wherever they run. */
  String id() {
    // Some modules pad with NUL, which a database does not accept as text.
    return String.join("/", manufacturer, model, serial, label).replace("\0", "");
  }

  boolean initialized() {
    return (flags & Ck.CKF_TOKEN_INITIALIZED) != 0;
  }

  boolean userPinInitialized() {
    return (flags & Ck.CKF_USER_PIN_INITIALIZED) != 0;
  }

  /** Whether a wrong PIN was given since the user's last successful login. */
  boolean loginFailed() {
    long failed = Ck.CKF_USER_PIN_COUNT_LOW | Ck.CKF_USER_PIN_FINAL_TRY | Ck.CKF_USER_PIN_LOCKED;
    return (flags & failed) != 0;
  }

  /** Whether a wrong PIN was given since the security officer's last successful login. */
  boolean officerLoginFailed() {
    long failed = Ck.CKF_SO_PIN_COUNT_LOW | Ck.CKF_SO_PIN_FINAL_TRY | Ck.CKF_SO_PIN_LOCKED;
    return (flags & failed) != 0;
  }
}
