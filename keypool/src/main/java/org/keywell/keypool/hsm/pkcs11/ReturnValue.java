package org.keywell.keypool.hsm.pkcs11;

import java.util.EnumSet;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.keywell.keypool.hsm.HsmException;
import org.keywell.keypool.hsm.HsmException.Reason;

/**
 * The {@code CK_RV} codes and what each means to callers. This is the only mapping to {@link
 * Reason}; {@code Brand} adds what a code means only on one brand or within one function.
 */
public enum ReturnValue {
  CKR_OK(0x0, Reason.FAILED),
  CKR_HOST_MEMORY(0x2, Reason.EXHAUSTED),
  CKR_SLOT_ID_INVALID(0x3, Reason.UNAVAILABLE),
  CKR_GENERAL_ERROR(0x5, Reason.UNAVAILABLE),
  CKR_FUNCTION_FAILED(0x6, Reason.FAILED),
  CKR_ARGUMENTS_BAD(0x7, Reason.FAILED),
  CKR_CANT_LOCK(0xA, Reason.UNAVAILABLE),
  CKR_ATTRIBUTE_READ_ONLY(0x10, Reason.FAILED),
  CKR_ATTRIBUTE_SENSITIVE(0x11, Reason.FAILED),
  CKR_ATTRIBUTE_TYPE_INVALID(0x12, Reason.UNSUPPORTED),
  CKR_ATTRIBUTE_VALUE_INVALID(0x13, Reason.UNSUPPORTED),
  CKR_ACTION_PROHIBITED(0x1B, Reason.FAILED),
  CKR_DATA_INVALID(0x20, Reason.FAILED),
  CKR_DATA_LEN_RANGE(0x21, Reason.FAILED),
  CKR_DEVICE_ERROR(0x30, Reason.UNAVAILABLE),
  CKR_DEVICE_MEMORY(0x31, Reason.FULL),
  CKR_DEVICE_REMOVED(0x32, Reason.UNAVAILABLE),
  CKR_ENCRYPTED_DATA_INVALID(0x40, Reason.WRAPPED_KEY_INVALID),
  CKR_ENCRYPTED_DATA_LEN_RANGE(0x41, Reason.WRAPPED_KEY_INVALID),
  CKR_FUNCTION_CANCELED(0x50, Reason.FAILED),
  CKR_FUNCTION_NOT_SUPPORTED(0x54, Reason.UNSUPPORTED),
  CKR_KEY_HANDLE_INVALID(0x60, Reason.KEY_GONE),
  CKR_KEY_SIZE_RANGE(0x62, Reason.UNSUPPORTED),
  CKR_KEY_TYPE_INCONSISTENT(0x63, Reason.FAILED),
  CKR_KEY_FUNCTION_NOT_PERMITTED(0x68, Reason.FAILED),
  CKR_KEY_NOT_WRAPPABLE(0x69, Reason.FAILED),
  CKR_KEY_UNEXTRACTABLE(0x6A, Reason.FAILED),
  CKR_MECHANISM_INVALID(0x70, Reason.UNSUPPORTED),
  CKR_MECHANISM_PARAM_INVALID(0x71, Reason.UNSUPPORTED),
  CKR_OBJECT_HANDLE_INVALID(0x82, Reason.KEY_GONE),
  CKR_OPERATION_ACTIVE(0x90, Reason.FAILED),
  CKR_OPERATION_NOT_INITIALIZED(0x91, Reason.FAILED),
  CKR_PIN_INCORRECT(0xA0, Reason.LOGIN_REFUSED),
  CKR_PIN_INVALID(0xA1, Reason.LOGIN_REFUSED),
  CKR_PIN_LEN_RANGE(0xA2, Reason.LOGIN_REFUSED),
  CKR_PIN_EXPIRED(0xA3, Reason.LOGIN_REFUSED),
  CKR_PIN_LOCKED(0xA4, Reason.LOGIN_REFUSED),
  CKR_SESSION_CLOSED(0xB0, Reason.SESSION_LOST),
  CKR_SESSION_COUNT(0xB1, Reason.EXHAUSTED),
  CKR_SESSION_HANDLE_INVALID(0xB3, Reason.SESSION_LOST),
  CKR_SESSION_READ_ONLY(0xB5, Reason.FAILED),
  CKR_SESSION_EXISTS(0xB6, Reason.FAILED),
  CKR_SESSION_READ_ONLY_EXISTS(0xB7, Reason.FAILED),
  CKR_TEMPLATE_INCOMPLETE(0xD0, Reason.UNSUPPORTED),
  CKR_TEMPLATE_INCONSISTENT(0xD1, Reason.UNSUPPORTED),
  CKR_TOKEN_NOT_PRESENT(0xE0, Reason.UNAVAILABLE),
  CKR_TOKEN_NOT_RECOGNIZED(0xE1, Reason.UNAVAILABLE),
  CKR_TOKEN_WRITE_PROTECTED(0xE2, Reason.FAILED),
  // The token's own key unwraps, whose handle dies only with the login, or one of the same session.
  CKR_UNWRAPPING_KEY_HANDLE_INVALID(0xF0, Reason.SESSION_LOST),
  CKR_USER_ALREADY_LOGGED_IN(0x100, Reason.FAILED),
  CKR_USER_NOT_LOGGED_IN(0x101, Reason.SESSION_LOST),
  CKR_USER_PIN_NOT_INITIALIZED(0x102, Reason.NOT_BOOTSTRAPPED),
  CKR_USER_TYPE_INVALID(0x103, Reason.LOGIN_REFUSED),
  CKR_USER_ANOTHER_ALREADY_LOGGED_IN(0x104, Reason.LOGIN_REFUSED),
  CKR_USER_TOO_MANY_TYPES(0x105, Reason.LOGIN_REFUSED),
  CKR_WRAPPED_KEY_INVALID(0x110, Reason.WRAPPED_KEY_INVALID),
  CKR_WRAPPED_KEY_LEN_RANGE(0x112, Reason.WRAPPED_KEY_INVALID),
  CKR_WRAPPING_KEY_HANDLE_INVALID(0x113, Reason.SESSION_LOST),
  CKR_DOMAIN_PARAMS_INVALID(0x130, Reason.UNSUPPORTED),
  CKR_CURVE_NOT_SUPPORTED(0x140, Reason.UNSUPPORTED),
  CKR_BUFFER_TOO_SMALL(0x150, Reason.FAILED),
  CKR_CRYPTOKI_NOT_INITIALIZED(0x190, Reason.SESSION_LOST),
  CKR_CRYPTOKI_ALREADY_INITIALIZED(0x191, Reason.FAILED),
  CKR_FUNCTION_REJECTED(0x200, Reason.FAILED);

  private static final Map<Long, ReturnValue> BY_CODE = new HashMap<>();

  /** Those by which modules refuse the data of a call. */
  private static final Set<ReturnValue> OF_DATA =
      EnumSet.of(
          CKR_DATA_INVALID,
          CKR_DATA_LEN_RANGE,
          CKR_ENCRYPTED_DATA_INVALID,
          CKR_ENCRYPTED_DATA_LEN_RANGE,
          CKR_WRAPPED_KEY_INVALID,
          CKR_WRAPPED_KEY_LEN_RANGE);

  static {
    for (ReturnValue value : values()) {
      BY_CODE.put(value.code, value);
    }
  }

  private final long code;
  private final Reason reason;

  ReturnValue(long code, Reason reason) {
    this.code = code;
    this.reason = reason;
  }

  /** Returns the value of a code; empty if it is not listed here, such as a vendor's. */
  public static Optional<ReturnValue> of(long returned) {
    return Optional.ofNullable(BY_CODE.get(returned));
  }

  /** Returns what the code means, unless it is {@code CKR_OK}. */
  public Reason reason() {
    return reason;
  }

  boolean is(long returned) {
    return code == returned;
  }

  public long code() {
    return code;
  }

  /** Whether the call's session is gone. Says nothing about other sessions. */
  static boolean isOfSession(long returned) {
    return CKR_SESSION_HANDLE_INVALID.is(returned) || CKR_SESSION_CLOSED.is(returned);
  }

  /** Whether all sessions are gone, or the login that they share. */
  static boolean isOfAllSessions(long returned) {
    return CKR_USER_NOT_LOGGED_IN.is(returned)
        || CKR_CRYPTOKI_NOT_INITIALIZED.is(returned)
        || CKR_WRAPPING_KEY_HANDLE_INVALID.is(returned)
        || CKR_UNWRAPPING_KEY_HANDLE_INVALID.is(returned);
  }

  /** Throws unless {@code returned} is {@link #CKR_OK}. */
  static void check(String function, long returned) {
    if (returned != 0) {
      throw exception(function, returned);
    }
  }

  static HsmException exception(String function, long returned) {
    ReturnValue known = BY_CODE.get(returned);
    return exception(known == null ? Reason.FAILED : known.reason, function, returned);
  }

  static HsmException exception(Reason reason, String function, long returned) {
    return new HsmException(reason, returned, function + " returned " + name(returned));
  }

  /** As {@link #exception}, for a call that processes a client's data rather than a stored key. */
  static HsmException dataException(String function, long returned) {
    return of(returned).filter(OF_DATA::contains).isPresent()
        ? exception(Reason.DATA_INVALID, function, returned)
        : exception(function, returned);
  }

  /** Returns a text such as {@code CKR_PIN_LOCKED (0xA4)}. */
  public static String name(long returned) {
    @Nullable ReturnValue known = BY_CODE.get(returned);
    String name =
        known != null ? known.name() : returned < 0 ? "a negative code" : "an unlisted code";
    return name + " (0x" + Long.toHexString(returned).toUpperCase(Locale.ROOT) + ")";
  }
}
